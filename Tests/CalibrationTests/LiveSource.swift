import BoardRendering
import Boards
import CalibrationStore
import CameraModel
import Frames
import Glibc
import Imaging
import Locking

/// A camera that someone holds a board in front of: rendered, with a clock of its own.
///
/// Between two places the board moves at an even pace; at each it is held still. The clock goes on by a
/// thirtieth of a second a frame.
struct LiveSource: FrameSource {
  /// The script: what each frame shows.
  struct Shot: Sendable {
    var pose: BoardPose
    var isMoving: Bool
    var blurSigma = 0.7
    var isDamaged = false
  }

  let camera: CameraParameters
  let board: PrintedBoard
  let shots: [Shot]
  let clock: VirtualClock
  let pace: Lockstep?
  var noiseSigma = 1.5

  var identity = IntrinsicsRecord.DeviceIdentity(
    id: DeviceID(rawValue: "usb:1234:5678:0001"), name: "Test camera",
    identifiedBy: "serial number")
  var resolution: Resolution { camera.resolution }
  var pixelFormat: String? { "GREY" }
  var lensControls: [String: IntrinsicsRecord.LensControl]? = [
    "focus_absolute": .init(value: 30, locked: true)
  ]
  var notices: [String] { [] }
  var setAside: [SetAside] { [] }
  var expectedCount: Int? { nil }
  private var position = 0

  init(
    camera: CameraParameters = .example(.pinhole), board: PrintedBoard = .init(columns: 9, rows: 6),
    shots: [Shot], clock: VirtualClock = VirtualClock(), pace: Lockstep? = nil
  ) {
    self.camera = camera
    self.board = board
    self.shots = shots
    self.clock = clock
    self.pace = pace
  }

  mutating func next() throws -> Frame? {
    pace?.waitForTurn()
    guard position < shots.count else { return nil }
    defer { position += 1 }
    clock.advance(seconds: 1.0 / 30)
    let (shot, index) = (shots[position], position)
    var conditions = RenderingConditions()
    conditions.blurSigma = shot.blurSigma
    conditions.noiseSigma = noiseSigma
    let scene = BoardScene(camera: camera, board: board, pose: shot.pose, conditions: conditions)
    return Frame(name: "frame \(index)", index: index) {
      if shot.isDamaged {
        throw FramesError(.unreadable, source: "frame \(index)", message: "the picture is cut off")
      }
      return scene.image(noiseSeed: UInt64(index))
    }
  }

  /// Goes from pose to pose, `moving` frames on the way, `still` at each.
  static func shots(_ poses: [BoardPose], moving: Int, still: Int) -> [Shot] {
    var shots: [Shot] = []
    for (index, pose) in poses.enumerated() {
      if index > 0 {
        let start = poses[index - 1]
        for step in 1..<moving {
          let t = Double(step) / Double(moving)
          let between = BoardPose(
            rotation: start.rotation * (1 - t) + pose.rotation * t,
            translation: start.translation * (1 - t) + pose.translation * t)
          shots.append(Shot(pose: between, isMoving: true))
        }
      }
      shots += (0..<still).map { Shot(pose: pose, isMoving: index > 0 && $0 == 0) }
    }
    return shots
  }
}

/// A clock that goes on only when told to.
final class VirtualClock: Sendable {
  private let nanoseconds = Lock<UInt64>(0)

  var now: UInt64 { nanoseconds.withLock { $0 } }

  func advance(seconds: Double) { nanoseconds.withLock { $0 += UInt64(seconds * 1e9) } }
}

/// Lets a source give a frame only after the one before was looked at: then every frame is, and the
/// same run gives the same answer.
final class Lockstep: @unchecked Sendable {
  // Sendable: `credit` is touched between locking and unlocking `mutex`, which is never moved.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var credit: Int

  /// - Parameter credit: How many turns there are from the start.
  init(_ credit: Int = 1) {
    self.credit = credit
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    mutex.deallocate()
    condition.deallocate()
  }

  /// A frame was looked at: the next may come.
  func allow(_ count: Int = 1) {
    pthread_mutex_lock(mutex)
    credit += count
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for `allow`, at most a minute.
  func waitForTurn() {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += 60
    pthread_mutex_lock(mutex)
    while credit == 0 {
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
    }
    credit = max(0, credit - 1)
    pthread_mutex_unlock(mutex)
  }
}
