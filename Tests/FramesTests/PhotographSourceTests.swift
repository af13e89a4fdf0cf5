import CameraModel
import Frames
import Testing

struct PhotographSourceTests {
  @Test func missingFileIsNamed() {
    let error = #expect(throws: FramesError.self) {
      try PhotographSource(paths: ["no-such-folder/a.jpg"])
    }
    #expect(error?.code == .notFound)
    #expect(error?.source == "no-such-folder/a.jpg")
  }
}
