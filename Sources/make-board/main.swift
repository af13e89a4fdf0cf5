import CommandLineTool

MakeBoardCommand.description.run { arguments, terminal in
  try MakeBoardRun(arguments, terminal).run()
}
