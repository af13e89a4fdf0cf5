// swift-tools-version: 6.2
import PackageDescription

// Depends on the package as an app would: by path, or, where CAMERA_INTRINSICS_URL is set, on a tagged
// version in a git repository.
let dependency: Package.Dependency =
  if let url = Context.environment["CAMERA_INTRINSICS_URL"] {
    .package(url: url, exact: "999.0.0")
  } else {
    .package(name: "camera-intrinsics", path: "../..")
  }

let package = Package(
  name: "consumer",
  dependencies: [dependency],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "CameraIntrinsics", package: "camera-intrinsics")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
      ])
  ]
)
