import Glibc

extension AttachedCamera {
  /// Finds out which camera an open file descriptor stands for.
  ///
  /// For programs that take their frames with other libraries: the descriptor is only asked for the
  /// number of its device (`fstat`), by which sysfs knows the camera; nothing is read from it and it
  /// stays the caller's. Ids are those of `init(deviceFile:)`.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of a video device, opened by whatever path.
  ///   - sysfs: Where sysfs is mounted.
  /// - Throws: `StoreError` with the code `cameraUnknown`.
  public init(openDescriptor descriptor: Int32, sysfs: String = "/sys") throws(StoreError) {
    let subject = "file descriptor \(descriptor)"
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw StoreError(
        code: .cameraUnknown, subject: subject,
        message: "it is not open; an open descriptor of a video device was expected",
        systemError: errno)
    }
    try self.init(device: info, subject: subject, sysfs: sysfs)
  }

  /// Finds out which camera a path stands for, by the number of the device file where it is one, so
  /// that in containers a device file may have any name.
  init(anyPath path: String, sysfs: String) throws(StoreError) {
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFCHR {
      try self.init(device: info, subject: path.printable, sysfs: sysfs)
    } else {
      try self.init(deviceFile: path, sysfs: sysfs)
    }
  }

  private init(device info: stat, subject: String, sysfs: String) throws(StoreError) {
    guard info.st_mode & S_IFMT == S_IFCHR else {
      throw StoreError(
        code: .cameraUnknown, subject: subject,
        message: "this is a file and no device; one of a video device was expected")
    }
    try self.init(deviceNumber: DeviceNumber(info.st_rdev), subject: subject, sysfs: sysfs)
  }

  /// Finds out which camera a device number stands for.
  init(deviceNumber: DeviceNumber, subject: String, sysfs: String) throws(StoreError) {
    guard let folder = RealPath.of("\(sysfs)/dev/char/\(deviceNumber)") else {
      guard Disk.isFolder(sysfs + "/dev/char") else { throw VideoClassNode.unmounted(sysfs) }
      throw StoreError(
        code: .cameraUnknown, subject: subject,
        message: "the device \(deviceNumber) is not attached any more: the camera was unplugged")
    }
    guard folder.split(separator: "/").dropLast().last == "video4linux" else {
      throw StoreError(
        code: .cameraUnknown, subject: subject,
        message: "the device \(deviceNumber) is no video device; list-cameras shows the cameras")
    }
    do throws(StoreError) {
      // Its folder in sysfs ends in its name, as its device file does.
      try self.init(deviceFile: folder, sysfs: sysfs)
    } catch {
      throw StoreError(code: error.code, subject: subject, message: error.message)
    }
  }
}

/// A device's number as sysfs writes it, `81:0`.
struct DeviceNumber: Sendable, Hashable, CustomStringConvertible {
  var major: UInt64
  var minor: UInt64

  init(major: UInt64, minor: UInt64) {
    self.major = major
    self.minor = minor
  }

  /// Takes apart what stat(2) gives; the layout is glibc's (`sys/sysmacros.h`), whose macros Swift does
  /// not see.
  init(_ number: dev_t) {
    let bits = UInt64(number)
    major = (bits >> 8 & 0xfff) | (bits >> 32 & 0xffff_f000)
    minor = (bits & 0xff) | (bits >> 12 & 0xffff_ff00)
  }

  var description: String { "\(major):\(minor)" }
}
