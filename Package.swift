// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Where OpenCV is, and what its libraries are called.
///
/// In `CAMERA_INTRINSICS_OPENCV`, the prefix of an installation, where that is set (CONTRIBUTING.md), else
/// in the first of the usual places that has its headers. The umbrella pkg-config file is not used: it
/// links every OpenCV library there is, which costs 0.3 s before `main`.
struct OpenCVInstallation {
  var includeDirectory: String
  /// Where the linker would not look by itself; also told to the programs, as they load them.
  var libraryDirectory: String?
  var majorVersion: Int

  static let found: OpenCVInstallation = {
    if let prefix = Context.environment["CAMERA_INTRINSICS_OPENCV"], !prefix.isEmpty {
      guard let include = firstInclude(below: [prefix + "/"]) else {
        fatalError(
          "CAMERA_INTRINSICS_OPENCV: no include/opencv4 or include/opencv5 with OpenCV's headers in"
            + " '\(prefix)'; name the prefix that OpenCV was installed to, as an absolute path")
      }
      let libraries = ["lib", "lib64"].map { prefix + "/" + $0 }
      return OpenCVInstallation(
        include, libraries.first { FileManager.default.fileExists(atPath: $0) })
    }
    let usual = firstInclude(below: ["/usr/", "/usr/local/", "/opt/homebrew/"])
    return OpenCVInstallation(usual ?? "/usr/include/opencv4", nil)
  }()

  private init(_ includeDirectory: String, _ libraryDirectory: String?) {
    self.includeDirectory = includeDirectory
    self.libraryDirectory = libraryDirectory
    let header = try? String(contentsOfFile: Self.header(in: includeDirectory), encoding: .utf8)
    let major = header?.split(separator: "\n").first { $0.contains("define CV_VERSION_MAJOR") }
    majorVersion = major?.split(separator: " ").last.flatMap { Int($0) } ?? 4
  }

  private static func header(in includeDirectory: String) -> String {
    includeDirectory + "/opencv2/core/version.hpp"
  }

  private static func firstInclude(below prefixes: [String]) -> String? {
    let folders = ["opencv4", "opencv5"].flatMap { name in prefixes.map { "\($0)include/\(name)" } }
    return folders.first { FileManager.default.fileExists(atPath: header(in: $0)) }
  }

  /// OpenCV 5 has calib3d in three parts.
  var calibrationLibraries: [String] {
    majorVersion >= 5
      ? ["opencv_calib", "opencv_objdetect", "opencv_geometry"] : ["opencv_calib3d"]
  }

  var compilerSettings: [CXXSetting] {
    [
      .unsafeFlags(["-isystem", includeDirectory]),
      .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
    ]
  }

  func linkerSettings(_ libraries: [String]) -> [LinkerSetting] {
    let search = libraryDirectory.map {
      LinkerSetting.unsafeFlags(["-L", $0, "-Xlinker", "-rpath", "-Xlinker", $0])
    }
    return (search.map { [$0] } ?? []) + libraries.map { .linkedLibrary($0) }
  }
}

let openCV = OpenCVInstallation.found

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// A Swift module of this package, in `Sources/NAME`.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A module that is optimised in debug builds too, preconditions included.
///
/// Its inner loops take most of the time: without that the tests that calibrate photographs take ten
/// times as long.
func numericModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))])
}

/// A command of this package: parses its arguments, calls the modules, prints.
func command(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a module, in `Tests/NAMETests`.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: strict)
}

let package = Package(
  name: "camera-intrinsics",
  products: [
    .library(name: "CameraIntrinsics", targets: ["CameraIntrinsics"]),
    .executable(name: "calibrate", targets: ["calibrate"]),
    .executable(name: "show-intrinsics", targets: ["show-intrinsics"]),
    .executable(name: "import-calibration", targets: ["import-calibration"]),
    .executable(name: "make-board", targets: ["make-board"]),
    .executable(name: "list-cameras", targets: ["list-cameras"]),
    .executable(name: "compare-calibrations", targets: ["compare-calibrations"]),
  ],
  targets: [
    // Libraries of the system.
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CCairo", providers: [.apt(["libcairo2-dev"])]),

    // The modules, in the order in which they may import one another (docs/design).
    module("Locking"),
    module("CameraModel"),
    module("Boards"),
    .target(
      name: "CImageCodecs",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")],
      // libjpeg-turbo and libpng: plain C includes, as Swift never sees their headers.
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16")]),
    .target(
      name: "CSubprocess",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
    // Optimised in debug builds too: a 1080p frame takes 30 ms otherwise, as long as it lasts. Packages of
    // tools version 6.2 may have such flags and still be depended upon.
    .target(
      name: "CPixelKernels",
      cSettings: [
        .unsafeFlags(["-O2"], .when(configuration: .debug)),
        .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
      ]),
    module(
      "Imaging", ["Locking", "CameraModel", "CImageCodecs", "CPixelKernels", "CSubprocess"]),
    module("CalibrationStore", ["CameraModel"]),
    .target(
      name: "CV4L2",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
    module("V4L2", ["CV4L2", "Locking", "CameraModel", "Imaging", "CalibrationStore"]),
    module("CornerTables", ["CameraModel", "Boards", "CalibrationStore"]),
    module("CalibrationFormats", ["CameraModel", "CalibrationStore", "CYAML", "CExpat"]),
    module("Frames", ["CameraModel", "Imaging", "CalibrationStore"]),
    module(
      "CameraCapture",
      ["V4L2", "Frames", "Imaging", "CalibrationStore", "CameraModel", "Locking"]),
    .target(
      name: "OpenCVBridge",
      cxxSettings: openCV.compilerSettings,
      linkerSettings: openCV.linkerSettings(
        openCV.calibrationLibraries + ["opencv_imgproc", "opencv_core"])),
    module("OpenCV", ["OpenCVBridge", "CameraModel", "Imaging", "Boards"]),
    // Optimised in debug builds too: fitting corners takes most of the tests' time otherwise.
    .target(
      name: "CCornerKernels",
      cSettings: [
        .unsafeFlags(["-O2"], .when(configuration: .debug)),
        .treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra"),
      ]),
    numericModule(
      "BoardDetection", ["CameraModel", "Imaging", "Boards", "OpenCV", "CCornerKernels"]),
    numericModule("CalibrationSolver", ["CameraModel", "Locking"]),
    numericModule(
      "CalibrationComparison", ["CalibrationSolver", "CalibrationStore", "CameraModel"]),
    module(
      "Calibration",
      [
        "Frames", "Imaging", "CameraModel", "Boards", "BoardDetection", "CalibrationSolver",
        "OpenCV", "CalibrationStore", "CornerTables", "Locking",
      ]),
    module("BoardPrinting", ["Boards", "Imaging", "CCairo"]),
    module("CommandLineTool", ["Locking"]),
    module("StoreCommands", ["CalibrationStore", "CameraModel", "CommandLineTool"]),
    module(
      "CameraIntrinsics",
      ["CameraModel", "Imaging", "CalibrationStore", "Frames", "CameraCapture"]),

    // The commands.
    command(
      "calibrate",
      [
        "Calibration", "BoardDetection", "CameraCapture", "V4L2", "Frames", "Imaging",
        "CommandLineTool", "StoreCommands", "CameraModel", "Boards", "CalibrationStore",
        "CornerTables", "Locking",
      ]),
    command(
      "show-intrinsics",
      ["CalibrationStore", "CalibrationFormats", "CameraModel", "CommandLineTool", "StoreCommands"]),
    command(
      "import-calibration",
      ["CalibrationStore", "CalibrationFormats", "CameraModel", "CommandLineTool", "StoreCommands"]),
    command(
      "make-board",
      ["BoardPrinting", "Boards", "CalibrationStore", "CommandLineTool", "StoreCommands"]),
    command(
      "compare-calibrations",
      [
        "CalibrationComparison", "CalibrationFormats", "CalibrationStore", "CameraModel",
        "CommandLineTool", "StoreCommands",
      ]),
    command(
      "list-cameras",
      ["V4L2", "Imaging", "CalibrationStore", "CameraModel", "CommandLineTool", "StoreCommands"]),

    // Sample programs: see only the library product's module; in no product.
    .executableTarget(
      name: "read-intrinsics", dependencies: ["CameraIntrinsics"],
      path: "samples/read-intrinsics", swiftSettings: strict),
    .executableTarget(
      name: "look-up-intrinsics", dependencies: ["CameraIntrinsics"],
      path: "samples/look-up-intrinsics", swiftSettings: strict),
    .executableTarget(
      name: "frame-pipeline", dependencies: ["CameraIntrinsics"],
      path: "samples/frame-pipeline", swiftSettings: strict),

    // The tests and what they share.
    // Optimised in debug builds too: tests of detection render hundreds of frames.
    .target(
      name: "BoardRendering", dependencies: ["CameraModel", "Boards", "Imaging"],
      path: "Tests/BoardRendering", swiftSettings: strict + [.unsafeFlags(["-O"])]),
    .executableTarget(
      name: "store-writer", dependencies: ["CalibrationStore", "CameraModel"],
      path: "Tests/StoreWriter", swiftSettings: strict),
    tests("CalibrationStoreTests", ["CalibrationStore", "CameraModel"]),
    tests("ShowIntrinsicsTests", ["CalibrationStore", "CameraModel"]),
    .executableTarget(
      name: "render-boards", dependencies: ["BoardRendering", "Boards", "CameraModel", "Imaging"],
      path: "Tests/Benchmarks/RenderBoards", swiftSettings: strict),
    .executableTarget(
      name: "bench-live",
      dependencies: [
        "Calibration", "CalibrationSolver", "BoardRendering", "Boards", "CalibrationStore",
        "CameraModel", "Frames", "Imaging", "Locking",
      ],
      path: "Tests/Benchmarks/Live", swiftSettings: strict),
    .executableTarget(
      name: "bench-delivery",
      dependencies: [
        "CameraCapture", "V4L2", "CV4L2", "CalibrationStore", "CameraModel", "Imaging", "Locking",
      ],
      path: "Tests/Benchmarks/Delivery", swiftSettings: strict),
    .executableTarget(
      name: "bench-solver", dependencies: ["CalibrationSolver", "CameraModel"],
      path: "Tests/Benchmarks/Solver", swiftSettings: strict),
    .executableTarget(
      name: "bench-frames", dependencies: ["Imaging", "CameraModel"],
      path: "Tests/Benchmarks/BenchFrames", swiftSettings: strict),
    tests("LockingTests", ["Locking"]),
    tests("CameraModelTests", ["CameraModel"]),
    tests(
      "ListCamerasTests",
      ["list-cameras", "FakeV4L2", "V4L2", "CalibrationStore", "CameraModel", "CommandLineTool"]),
    // A driver that is played: for the tests of all that reads cameras.
    .target(
      name: "FakeV4L2", dependencies: ["V4L2", "CV4L2", "Locking"], path: "Tests/FakeV4L2",
      swiftSettings: strict),
    .target(
      name: "GuardianProbe", path: "Tests/GuardianProbe",
      cSettings: [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]),
    .executableTarget(
      name: "guardian-parent", dependencies: ["V4L2", "CalibrationStore", "GuardianProbe"],
      path: "Tests/GuardianParent", swiftSettings: strict),
    .executableTarget(
      name: "stream-endurance", dependencies: ["FakeV4L2", "V4L2", "CameraModel"],
      path: "Tests/StreamEndurance", swiftSettings: strict),
    tests(
      "V4L2Tests",
      [
        "FakeV4L2", "GuardianProbe", "guardian-parent", "stream-endurance", "V4L2", "CV4L2",
        "CalibrationStore", "CameraModel", "Imaging", "Locking",
      ]),
    tests(
      "CameraCaptureTests",
      [
        "TestSupport", "CameraCapture", "FakeV4L2", "V4L2", "CalibrationStore", "CameraModel",
        "Frames", "Imaging", "Locking",
      ]),
    .target(
      name: "ImageSamples", path: "Tests/ImageSamples",
      linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16")]),
    tests(
      "ImagingTests", ["TestSupport", "Imaging", "CameraModel", "CPixelKernels", "ImageSamples"]),
    tests("FramesTests", ["TestSupport", "Frames", "Imaging", "CameraModel", "CalibrationStore"]),
    tests("ArchitectureTests", []),
    tests(
      "OpenCVTests", ["TestSupport", "OpenCV", "OpenCVBridge", "CameraModel", "Imaging", "Boards"]),
    tests(
      "BoardDetectionTests",
      [
        "TestSupport", "BoardDetection", "BoardRendering", "OpenCV", "CameraModel", "Imaging",
        "Boards", "CCornerKernels",
      ]),
    .target(
      name: "TestSupport", dependencies: ["Imaging"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "camera-probe", dependencies: ["V4L2", "Imaging", "CameraModel"],
      path: "Tests/V4L2Guest/Probe", swiftSettings: strict),
    .target(name: "GoldenFiles", path: "Tests/GoldenFiles", swiftSettings: strict),
    tests(
      "CommandLineToolTests", ["CommandLineTool", "GoldenFiles", "Locking"], exclude: ["Golden"]),
    tests("CommandTests", ["GoldenFiles"], exclude: ["Golden"]),
    .target(
      name: "OpenCVFileReader", path: "Tests/OpenCVFileReader",
      cxxSettings: openCV.compilerSettings,
      linkerSettings: openCV.linkerSettings(["opencv_core"])),
    tests(
      "CalibrationFormatsTests",
      [
        "TestSupport", "OpenCVFileReader", "CalibrationFormats", "CameraModel", "CalibrationStore",
      ]),
    tests("ImportCalibrationTests", ["import-calibration", "CalibrationStore", "CameraModel"]),
    tests(
      "CalibrateTests",
      ["calibrate", "CommandRunning", "CameraModel", "CalibrationStore", "OpenCV"]),
    tests(
      "CalibrationComparisonTests",
      [
        "CalibrationComparison", "CalibrationSolver", "CalibrationStore", "CameraModel",
        "BoardRendering", "Calibration", "Boards",
      ]),
    tests("CornerTablesTests", ["CornerTables", "Boards", "CameraModel"]),
    tests(
      "CalibrateLiveTests",
      [
        "calibrate", "Calibration", "FakeV4L2", "CommandLineTool", "CommandRunning",
        "BoardRendering", "Boards", "CalibrationStore", "CameraModel", "Imaging", "Locking",
      ]),
    tests("BoardsTests", ["Boards"]),
    tests(
      "BoardPrintingTests",
      ["TestSupport", "BoardPrinting", "BoardDetection", "Boards", "Imaging"]),
    tests("BoardRenderingTests", ["BoardRendering", "CameraModel", "Boards", "Imaging"]),
    tests(
      "CalibrationTests",
      [
        "TestSupport", "BoardDetection", "Calibration", "CalibrationSolver", "CalibrationStore",
        "Frames", "Imaging", "CameraModel",
        "CalibrationComparison", "Boards", "BoardRendering", "Locking", "CommandRunning",
        "CornerTables",
      ]),
    tests(
      "SamplesTests",
      [
        "read-intrinsics", "look-up-intrinsics", "frame-pipeline", "calibrate", "CalibrationStore",
        "CameraModel",
      ]),
    tests(
      "CalibrationSolverTests",
      ["TestSupport", "CalibrationSolver", "CameraModel", "OpenCV"]),
    .target(
      name: "CommandRunning", dependencies: ["CalibrationStore", "CameraModel"],
      path: "Tests/CommandRunning", swiftSettings: strict),
    tests(
      "RealPhotographTests",
      [
        "calibrate", "CommandRunning", "TestSupport", "Calibration", "CalibrationSolver",
        "CalibrationStore", "CameraModel",
      ]),
    tests(
      "PainTests",
      [
        "calibrate", "CommandRunning", "BoardRendering", "BoardDetection", "Calibration",
        "CalibrationSolver", "CalibrationStore", "CameraModel", "Boards", "Imaging",
      ], exclude: ["README.md"]),
  ],
  cxxLanguageStandard: .cxx17
)

// The fuzzer links only together with `-sanitize=fuzzer`, which `make fuzz` does.
if Context.environment["CAMERA_INTRINSICS_FUZZ"] != nil {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzzing/CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Boards", "CFuzzer", "CalibrationStore", "CalibrationFormats", "CameraModel",
        "CommandLineTool", "CornerTables", "Imaging", "StoreCommands",
      ],
      path: "Tests/Fuzzing/fuzz", swiftSettings: strict),
  ]
}

// SwiftPM builds a target anew where a module that it names has changed, and not where one has that such
// a module hands on or whose types it holds: the target would go on with the layout of before, and crash.
// So all are named that the named ones rest on.
let directly = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies) })
func name(of dependency: Target.Dependency) -> String? {
  if case .byNameItem(let name, _) = dependency { name } else { nil }
}
for target in package.targets {
  var names = target.dependencies.compactMap(name)
  var next = 0
  while next < names.count {
    let further = (directly[names[next]] ?? []).compactMap(name)
    names += further.filter { !names.contains($0) }
    next += 1
  }
  target.dependencies = names.map { .byName(name: $0) }
}
