import BoardRendering
import CalibrationSolver
import CameraModel
import Testing

@testable import Calibration

@Suite("Names of views in errors of the solver")
struct NamedViewTests {
  private static func fitting(names: [String]) throws -> LensFitting {
    let camera = CameraParameters.example(.pinhole)
    let views = try SyntheticViews(
      camera: camera, board: PrintedBoard(columns: 9, rows: 6), count: 6, seed: 1
    ).noisy(sigma: 0.1, seed: 2).map {
      ObservedView(boardPoints: $0.boardPoints, pixels: $0.pixels)
    }
    var fitting = LensFitting(
      views: views, resolution: camera.resolution, lensModel: .pinhole, coefficientCount: nil,
      jobs: 1)
    fitting.names = names
    return fitting
  }

  @Test("The name is that of the member that the solver counted")
  func member() throws {
    let fitting = try Self.fitting(names: ["a.png", "b.png", "c.png", "d.png", "e\u{1B}.png", "f"])
    let error = SolverError(.singular, view: 2, message: "its points do not tell")
    #expect("\(fitting.undetermined(error, [0, 3, 5]))".contains("(f: its points do not tell)"))
    #expect("\(fitting.undetermined(error, [0, 1, 3]))".contains("(d.png: its points"))
    #expect("\(fitting.undetermined(error, [0, 3, 4]))".contains("(e\u{FFFD}.png: its points"))
    let hidden = SolverError(.pointNotVisible, view: 0, message: "not seen")
    #expect("\(fitting.undetermined(hidden, [1, 2]))".contains("(in b.png one lies 90°"))
    // What is about no view stays as it is.
    let other = SolverError(.singular, subject: "parameters", message: "no")
    #expect("\(fitting.undetermined(other, [1]))".contains("(parameters: no)"))
  }

  @Test("Without names images are counted from 1, all that were selected")
  func nameless() throws {
    let error = SolverError(.singular, view: 1, message: "no")
    #expect("\(try Self.fitting(names: []).undetermined(error, [2, 4]))".contains("(image 5: no)"))
  }

  @Test("A view that can't be solved for is named wherever the solver meets it", arguments: 0..<6)
  func nonFinite(index: Int) throws {
    let names = (0..<6).map { "picture-\($0).jpg" }
    var fitting = try Self.fitting(names: names)
    fitting.keepsOutliers = true
    let fit = try fitting.fit(sample: Array(0..<6))
    fitting.views[index].pixels[7] = SIMD2(.nan, 0)
    let again = fitting
    let error = #expect(throws: CalibrationError.self) { try again.fit(fit, without: [:]) }
    #expect(error?.description.contains("(picture-\(index).jpg: a point, a pixel or") == true)
    // Where another one has left, the solver counts one less.
    let gone = (index + 1) % 6
    let less = #expect(throws: CalibrationError.self) { try again.fit(fit, without: [gone: ""]) }
    #expect(less?.description.contains("(picture-\(index).jpg: a point, a pixel or") == true)
  }
}
