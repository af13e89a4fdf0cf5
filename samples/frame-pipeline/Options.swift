import CameraIntrinsics

/// What was asked for on the command line.
struct Options {
  static let usage = """
    usage: frame-pipeline [--device DEVICE] [--size WIDTHxHEIGHT] [--store DIR] [--every N]
                          [--frames N] [--hex] [--resume] [--format png|jpg] [FOLDER]

    Takes frames from a camera, writes every fifth (--every) into FOLDER (default: frames), turned right,
    and prints the intrinsic matrix that it carries: of DEVICE (/dev/videoN, a device id or a stored
    name; default: the first camera) at WIDTHxHEIGHT (default: 1920x1080) as calibrated in DIR. Ends
    after N pictures (--frames) or at Ctrl-C. --hex prints the matrix as its 48 bytes. --resume waits for a
    camera that was unplugged to come back, and goes on.
    """

  var device: String?
  var size = Resolution(width: 1920, height: 1080)
  var store: String?
  var every = 5
  var frames: Int?
  var printsBytes = false
  var resumes = false
  var format = "png"
  var folder = "frames"

  /// Nil where the arguments are none that the usage allows.
  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    var hasFolder = false
    func positive(_ text: String?) -> Int? { text.flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } }
    while let argument = rest.popFirst() {
      switch argument {
      case "--hex": printsBytes = true
      case "--resume": resumes = true
      case "--device":
        guard let text = rest.popFirst() else { return nil }
        device = text
      case "--store":
        guard let text = rest.popFirst() else { return nil }
        store = text
      case "--size":
        guard let size = rest.popFirst().flatMap({ Resolution($0) }) else { return nil }
        self.size = size
      case "--every":
        guard let every = positive(rest.popFirst()) else { return nil }
        self.every = every
      case "--frames":
        guard let frames = positive(rest.popFirst()) else { return nil }
        self.frames = frames
      case "--format":
        guard let text = rest.popFirst(), text == "png" || text == "jpg" else { return nil }
        format = text
      default:
        if hasFolder || argument.hasPrefix("-") { return nil }
        hasFolder = true
        folder = argument
      }
    }
  }
}
