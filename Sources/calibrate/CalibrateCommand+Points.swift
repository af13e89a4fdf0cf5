import CommandLineTool

/// The options for points in place of images.
extension CalibrateCommand {
  static let corners = Option.repeated(
    "corners", .file,
    help:
      "Take detected points in place of images; further files may follow, or be SOURCE. A table of "
      + "mrcal or mrgingham (a row 'filename x y', '- -' for no point, and perhaps a level, sigma or "
      + "weight, as the comment '# filename x y level' says), what --dump-corners wrote, or the points "
      + "file beside a stored record. Needs --size unless the file says it. Points column by column or "
      + "in mirrored order are put right, and this is said.")
  static let dumpCorners = Option.optional(
    "dump-corners", .file,
    help:
      "Write the points that were found into this file: as a table that mrcal reads, or as JSON where "
      + "its name ends in .json. --corners takes both, with the same result to the last bit.")

  /// Those that make no sense where there are no images.
  static let imageOptions: [any DeclaredOption] = [every, draw]
}
