import CommandLineTool

CompareCommand.description.run { arguments, terminal in
  try CompareCommand(arguments, terminal).run()
}
