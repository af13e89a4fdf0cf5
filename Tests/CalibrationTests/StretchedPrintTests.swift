import BoardRendering
import Boards
import Calibration
import CalibrationStore
import CameraModel
import Testing

@Suite("Prints that are stretched in one direction")
struct StretchedPrintTests {
  @Test("The two measured lengths give both focal lengths; one side for both gives them wrong")
  func twoLengths() throws {
    let camera = CameraParameters.example(.pinhole)
    // Half a per cent longer along the rows: more than most printers do, so that few frames show it.
    let print = ChessboardGeometry(
      columns: 9, rows: 6, squareSizeMetres: 0.025 * 1.005, squareHeightMetres: 0.025)
    let board = PrintedBoard(print)
    let poses = try BoardPose.random(10, camera: camera, board: board, seed: 3)
    let source = RenderedSource(
      poses.map { BoardScene(camera: camera, board: board, pose: $0) })
    let truth = camera.intrinsics.fx / camera.intrinsics.fy
    let measured = try SessionTests.session(print).run(source).record
    let ratio = measured.camera.intrinsics.fx / measured.camera.intrinsics.fy
    #expect(abs(ratio / truth - 1) < 0.0005)
    #expect(measured.board?.squareSize == 0.025 * 1.005)
    #expect(measured.board?.squareHeight == 0.025)

    let nominal = try SessionTests.session().run(source).record
    let wrong = nominal.camera.intrinsics.fx / nominal.camera.intrinsics.fy
    #expect(abs(wrong / truth - 1) > 0.002)
    #expect(nominal.board?.squareHeight == nil)

    // 6x9 with its lengths exchanged is the same board, and gives the same record.
    let turned = try SessionTests.session(print.transposed).run(source).record
    #expect(turned == measured)
  }
}
