import CommandLineTool

CalibrateCommand.description.run { arguments, terminal in
  try CalibrateRun(arguments, terminal).run()
}
