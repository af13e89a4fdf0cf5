internal import OpenCVBridge

/// The OpenCV that is loaded.
package enum OpenCVLibrary {
  /// Its version, for example "4.6.0".
  package static var version: String { String(cString: ocvVersion()) }
  /// Whether this package's tests have run with this version.
  package static var isTestedVersion: Bool { ocvVersionIsTested() }
}
