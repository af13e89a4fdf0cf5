// Renders frames of a 9x6 board for the benchmarks: PNG files, and the true focal length on standard
// output. With STILL and MOVING a sequence for a camera to play instead: PGM files, each pose in STILL
// frames and MOVING frames between two poses, and truth.json.
//
// Usage: render-boards FOLDER POSES WIDTH HEIGHT SEED [STILL MOVING]

import BoardRendering
import Boards
import CameraModel
import Dispatch
import Imaging

func run(_ arguments: [String]) throws {
  let numbers = arguments.dropFirst().compactMap { Int($0) }
  guard [5, 7].contains(arguments.count), numbers.count == arguments.count - 1 else {
    print("usage: render-boards FOLDER POSES WIDTH HEIGHT SEED [STILL MOVING]")
    return
  }
  let camera = CameraParameters.example(
    .pinhole, resolution: Resolution(width: numbers[1], height: numbers[2]))
  let board = PrintedBoard(columns: 9, rows: 6)
  let seed = UInt64(numbers[3])
  let poses = try BoardPose.random(numbers[0], camera: camera, board: board, seed: seed)
  var conditions = RenderingConditions()
  conditions.noiseSigma = 2
  guard arguments.count == 5 else {
    // Before a flat background: where cameras are played, machines are emulated and slow.
    let sequence = PlayedSequence(
      camera: camera, board: board, conditions: conditions, holding: poses, still: numbers[4],
      moving: numbers[5])
    return try sequence.write(to: arguments[0], seed: seed)
  }
  conditions.background = .clutter(seed: seed)
  let (folder, light) = (arguments[0], conditions)
  DispatchQueue.concurrentPerform(iterations: poses.count) { index in
    let scene = BoardScene(
      camera: camera, board: board, pose: poses[index], conditions: light)
    let digits = String(1000 + index).dropFirst()
    do {
      try scene.image(noiseSeed: seed &* 1000 &+ UInt64(index))
        .writePNG(toFileAt: "\(folder)/frame\(digits).png")
    } catch {
      print("error: \(error)")
    }
  }
  print(camera.intrinsics.fx)
}

try run(Array(CommandLine.arguments.dropFirst()))
