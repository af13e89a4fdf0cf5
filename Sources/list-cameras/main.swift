import CommandLineTool

ListCommand.description.run { arguments, terminal in
  try ListCommand(arguments, terminal).run()
}
