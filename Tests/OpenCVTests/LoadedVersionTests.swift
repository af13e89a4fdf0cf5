import Foundation
import OpenCV
import Testing

/// Which OpenCV the tests run with.
@Suite struct LoadedVersionTests {
  @Test func theVersionIsOneThatTheTestsAreFor() {
    #expect(OpenCVLibrary.version.first?.isNumber == true)
    #expect(OpenCVLibrary.isTestedVersion, "\(OpenCVLibrary.version): see Names.hpp")
  }

  /// The prefix that another OpenCV was asked for by, where it was: `make test-opencv`.
  static let prefix = ProcessInfo.processInfo.environment["CAMERA_INTRINSICS_OPENCV"]

  /// What is compiled against need not be what is loaded: the loader has an order of its own.
  @Test(.enabled(if: prefix != nil)) func whatIsLoadedIsWhatWasAskedFor() throws {
    let headers = ["opencv4", "opencv5"].compactMap {
      try? String(
        contentsOfFile: "\(Self.prefix ?? "")/include/\($0)/opencv2/core/version.hpp",
        encoding: .utf8)
    }
    let lines = try #require(headers.first).split(separator: "\n")
    let numbers = try ["MAJOR", "MINOR", "REVISION"].map { part in
      let line = try #require(lines.first { $0.contains("define CV_VERSION_\(part)") })
      return try #require(line.split(separator: " ").last)
    }
    #expect(OpenCVLibrary.version.hasPrefix(numbers.joined(separator: ".")))
  }
}
