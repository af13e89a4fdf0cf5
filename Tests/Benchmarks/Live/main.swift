import BoardRendering
import Boards
import Calibration
import CalibrationStore
import CameraModel
import Frames
import Glibc
import Imaging
import Locking

// Live `calibrate` beside a recorded camera at its real pace: 1920x1080 in Motion JPEG, 30 frames a
// second. First a room without a board, then a board that is moved about and held still. Ends with 1
// where the capture fell behind by two frames or more, or more than a twentieth of what is said did.
// `bench-live guidance VIEWS...`: what a view that is added costs, without any frames.

if CommandLine.arguments.dropFirst().first == "guidance" {
  try measureGuidance(
    CommandLine.arguments.dropFirst(2).compactMap { Int($0) }.sorted(),
    board: PrintedBoard(columns: 9, rows: 6),
    geometry: ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025))
  exit(0)
}

/// When the source was asked for its frames, against when they were due.
final class Pace: Sendable {
  struct State: Sendable {
    var late: [Double] = []
  }
  static let period: UInt64 = 1_000_000_000 / 30
  let start: UInt64
  let state = Lock(State())

  init(start: UInt64) { self.start = start }

  /// Waits for a frame's time; notes how many frames later than that whoever asks got it.
  func wait(for index: Int) {
    let due = start + UInt64(index) * Self.period
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    let late = Double(now() - due) / Double(Self.period)
    state.withLock { $0.late.append(late) }
  }
}

@Sendable func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Frames as a camera sends them, decoded when somebody looks at them.
struct RecordedCamera: FrameSource {
  let identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "name:recorded"), name: "recorded", identifiedBy: "benchmark")
  let resolution: Resolution
  let layout: FrameLayout
  let pictures: [[UInt8]]
  let order: [Int]
  let pace: Pace
  let converter = FrameConverter()
  var pixelFormat: String? { "MJPG" }
  var lensControls: [String: IntrinsicsRecord.LensControl]? { nil }
  var notices: [String] { [] }
  var setAside: [SetAside] { [] }
  var expectedCount: Int? { nil }
  var position = 0

  mutating func next() throws -> Frame? {
    guard position < order.count else { return nil }
    defer { position += 1 }
    pace.wait(for: position)
    let (bytes, converter, layout) = (pictures[order[position]], converter, layout)
    return Frame(name: "frame \(position)", index: position) {
      try bytes.withUnsafeBytes { try converter.grayImage(of: $0, layout: layout) }
    }
  }
}

func jpeg(_ scene: BoardScene, seed: UInt64) throws -> [UInt8] {
  try scene.image(noiseSeed: seed).jpegData(quality: 90)
}

let resolution = Resolution(width: 1920, height: 1080)
let camera = CameraParameters.example(.pinhole, resolution: resolution)
let board = PrintedBoard(columns: 9, rows: 6)
var conditions = RenderingConditions()
conditions.background = .clutter(seed: 5)
let poses = try BoardPose.random(8, camera: camera, board: board, seed: 4)
var pictures: [[UInt8]] = []
var order: [Int] = []
// The room: the board is behind the camera.
let away = BoardPose(rotation: SIMD3(0, 0, 0), translation: SIMD3(50, 0, 1))
for seed in 0..<2 {
  let scene = BoardScene(camera: camera, board: board, pose: away, conditions: conditions)
  pictures.append(try jpeg(scene, seed: UInt64(seed)))
}
order += (0..<200).map { $0 % 2 }
for (index, pose) in poses.enumerated() {
  // Two pictures on the way, two at rest.
  for step in 0..<4 {
    var place = pose
    if step < 2 { place.translation.x += 0.01 * Double(2 - step) }
    let scene = BoardScene(camera: camera, board: board, pose: place, conditions: conditions)
    pictures.append(try jpeg(scene, seed: UInt64(10 * index + step)))
  }
  let first = pictures.count - 4
  order += [first, first + 1]
  order += (0..<28).map { first + 2 + $0 % 2 }
}

var live = LiveOptions()
live.viewCount = 1000
let jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
let geometry = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.025)
var session = LiveSession(
  options: CalibrationOptions(board: geometry, squareSizeIsKnown: true, jobs: jobs), live: live,
  clock: now)
let last = Lock<LiveStatus?>(nil)
let pace = Pace(start: now() + 500_000_000)
/// How long after its frame was due each thing was said, frames, by what was said.
let said = Lock<[String: [Double]]>([:])
session.onStatus = { status in
  let due = pace.start + UInt64(status.frameIndex) * Pace.period
  let lag = (Double(now()) - Double(due)) / Double(Pace.period)
  let what = "\(status.finding)".prefix(while: \.isLetter)
  said.withLock { $0[String(what), default: []].append(lag) }
  last.withLock { $0 = status }
}
let source = RecordedCamera(
  resolution: resolution, layout: try FrameLayout(format: .mjpg, resolution: resolution),
  pictures: pictures, order: order, pace: pace)
var kept = 0
var counts = FrameCounts()
do {
  let result = try session.run(source)
  kept = result.kept.expectedCount ?? 0
  counts = result.frames
} catch {
  // Too few views on a machine that is busy otherwise: what is measured here is the capture.
  print("\(error)")
  last.withLock { status in
    kept = status?.viewCount ?? 0
    counts = status?.frames ?? counts
  }
}
let late = pace.state.withLock { $0.late }.sorted()
func text(_ value: Double) -> String { fixed(value, 2) }
print(
  "1920x1080 MJPG at 30 fps on \(jobs) processors, \(order.count) frames, 200 of them without a board"
)
print(
  "  captured \(counts.captured), looked at \(counts.considered), let go \(counts.skipped), kept \(kept)"
)
print(
  "  capture behind its time: median \(text(late[late.count / 2])), at most \(text(late[late.count - 1])) frames (limit 2)"
)
print("  what is said behind its frame's time, frames: median, 95 % within, at most")
for (what, lags) in said.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
  let lags = lags.sorted()
  let figures = [lags[lags.count / 2], lags[lags.count * 95 / 100], lags[lags.count - 1]]
  print("    \(what): \(figures.map(text).joined(separator: ", ")) (\(lags.count) times)")
}
print("  came while one was looked at: at most \(counts.largestLag) frames")
print("  away from the camera: at most \(text(Double(counts.longestAbsenceNanoseconds) / 1e6)) ms")
let lags = said.withLock { $0.values.flatMap(\.self) }.sorted()
let isTimely = late.count == order.count && late[late.count - 1] < 2
exit(isTimely && !lags.isEmpty && lags[lags.count * 95 / 100] < 2 ? 0 : 1)
