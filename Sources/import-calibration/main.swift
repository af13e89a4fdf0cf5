import CommandLineTool

ImportCommand.description.run { arguments, terminal in
  try ImportCommand(arguments, terminal).run()
}
