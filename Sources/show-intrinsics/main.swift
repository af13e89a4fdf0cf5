import CommandLineTool

ShowCommand.description.run { arguments, terminal in
  try ShowCommand(arguments, terminal).run()
}
