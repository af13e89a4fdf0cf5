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

  /// What is wrong with the arguments.
  struct Mistake: Error {
    var reason: String
  }

  /// Nil where the usage was asked for.
  init?(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    if rest.contains(where: { ["--help", "-h"].contains($0) }) { return nil }
    var hasFolder = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--hex": printsBytes = true
      case "--resume": resumes = true
      case "--device": device = try Self.value(of: argument, &rest, "a device") { $0 }
      case "--store": store = try Self.value(of: argument, &rest, "a folder") { $0 }
      case "--size":
        size = try Self.value(of: argument, &rest, "a size like 1280x720") { Resolution($0) }
      case "--every": every = try Self.value(of: argument, &rest, Self.count, Self.positive)
      case "--frames": frames = try Self.value(of: argument, &rest, Self.count, Self.positive)
      case "--format":
        format = try Self.value(of: argument, &rest, "png or jpg") {
          ["png", "jpg"].contains($0) ? $0 : nil
        }
      default:
        if argument.hasPrefix("-") { throw Mistake(reason: "unknown option '\(argument)'") }
        if hasFolder {
          throw Mistake(reason: "'\(argument)' is a second FOLDER after '\(folder)'")
        }
        hasFolder = true
        folder = argument
      }
    }
  }

  private static let count = "a whole number above zero"

  private static func positive(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

  /// The value that follows an option.
  private static func value<Value>(
    of option: String, _ rest: inout ArraySlice<String>, _ expected: String,
    _ read: (String) -> Value?
  ) throws(Mistake) -> Value {
    guard let text = rest.popFirst() else {
      throw Mistake(reason: "\(option) needs \(expected)")
    }
    guard let value = read(text) else {
      throw Mistake(reason: "\(option) '\(text)' is not \(expected)")
    }
    return value
  }
}
