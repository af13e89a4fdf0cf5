import CalibrationStore
import Foundation
import Frames
import Testing

struct SourceIdentityTests {
  private func identity(
    _ paths: [String], name: String? = nil
  ) throws -> IntrinsicsRecord.DeviceIdentity {
    try PhotographSource(paths: paths, deviceName: name).identity
  }

  @Test(arguments: [
    ("Logitech C270 (left)", "logitech-c270-left"), ("  a  b ", "a-b"), ("v1.2_x", "v1.2_x"),
    ("../../etc", "etc"), ("Kamera Süd", "kamera-süd"), ("カメラ", "カメラ"), ("a/b\nc", "a-b-c"),
    ("CAM-0.", "cam-0"),
  ])
  func slugKeepsLettersAndDigits(name: String, slug: String) {
    #expect(SourceIdentity.slug(name) == slug)
  }

  @Test func nameWithoutLetterOrDigitIsRefused() throws {
    let folder = try PhotographFolder()
    try folder.add("a.jpg")
    let error = #expect(throws: FramesError.self) { try identity([folder.path], name: "-./") }
    #expect(error?.code == .badRequest)
  }

  @Test func givenNameGoesFirstThenExifThenFolder() throws {
    let folder = try PhotographFolder(named: "My Shots")
    let exif = PhotographFolder.exif(orientation: 1, make: "ACME", model: "Eye 2")
    try folder.add("a.jpg", exif: exif)
    try folder.add("b.jpg", exif: exif)
    let byExif = try identity([folder.path])
    #expect(byExif.id.rawValue == "name:acme-eye-2" && byExif.name == "ACME Eye 2")
    #expect(byExif.identifiedBy == "EXIF make and model")
    let given = try identity([folder.path], name: "Left Eye")
    #expect(given.id.rawValue == "name:left-eye" && given.identifiedBy == "given name")
    try folder.add("c.jpg")
    let byFolder = try identity([folder.path])
    #expect(byFolder.id.rawValue == "name:my-shots" && byFolder.identifiedBy == "folder name")
    #expect(byFolder.name == "My Shots")
  }

  @Test func explicitIdentityGoesBeforeAll() throws {
    let folder = try PhotographFolder()
    try folder.add("a.jpg")
    let known = IntrinsicsRecord.DeviceIdentity(
      id: DeviceID(rawValue: "usb:046d:0825:ABC"), name: "C270", identifiedBy: "serial number")
    let source = try PhotographSource(
      paths: [folder.path], deviceName: "other", identity: known)
    #expect(source.identity == known)
  }

  @Test func makerIsNotSaidTwice() throws {
    let folder = try PhotographFolder()
    let exif = PhotographFolder.exif(orientation: 1, make: "Canon", model: "Canon EOS 300D")
    try folder.add("a.jpg", exif: exif)
    #expect(try identity([folder.path]).name == "Canon EOS 300D")
  }

  @Test func endlessMakerAndModelGiveAShortId() throws {
    let folder = try PhotographFolder()
    let long = String(repeating: "Long ", count: 16)
    try folder.add(
      "a.jpg", exif: PhotographFolder.exif(orientation: 1, make: "A" + long, model: "B" + long))
    let known = try identity([folder.path])
    #expect(known.identifiedBy == "EXIF make and model")
    #expect(known.id.rawValue.hasPrefix("name:along-long-"))
    #expect(known.id.rawValue.contains("-blong-") && known.id.rawValue.utf8.count < 140)
  }

  @Test func filesGoByTheFolderThatTheyShare() throws {
    let folder = try PhotographFolder(named: "Rig")
    let left = try folder.add("left/a.jpg")
    let right = try folder.add("right/b.jpg")
    #expect(try identity([left]).id.rawValue == "name:left")
    #expect(try identity([left, right]).id.rawValue == "name:rig")
    // Through a link, `.` or `..` the folder's real name counts.
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path + "/left")
    #expect(try identity([link + "/."]).id.rawValue == "name:left")
    #expect(try identity([folder.path + "/right/../left"]).id.rawValue == "name:left")
  }
}
