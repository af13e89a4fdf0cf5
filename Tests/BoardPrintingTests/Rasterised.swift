import Foundation
import Imaging
import Testing

/// A program of poppler-utils, run on a PDF.
enum Poppler {
  struct Missing: Error, CustomStringConvertible {
    var description: String { "poppler-utils is missing: run make setup-test" }
  }

  /// The page as pdftoppm draws it.
  static func image(of pdf: [UInt8], dpi: Int) throws -> GrayImage {
    let bytes = try run("pdftoppm", ["-r", "\(dpi)", "-gray", "-singlefile"], on: pdf)
    return try ImageFile.grayImage(of: bytes.span.bytes, named: "page")
  }

  /// The page as cairo draws it, which knows more levels of coverage at edges.
  static func finerImage(of pdf: [UInt8], dpi: Int) throws -> GrayImage {
    let bytes = try run(
      "pdftocairo", ["-r", "\(dpi)", "-gray", "-png", "-singlefile"], on: pdf, last: ["-"])
    return try ImageFile.grayImage(of: bytes.span.bytes, named: "page")
  }

  /// The text of the page as pdftotext reads it, one space for all white space.
  static func text(of pdf: [UInt8]) throws -> String {
    String(decoding: try run("pdftotext", ["-layout"], on: pdf, last: ["-"]), as: UTF8.self)
      .split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func run(
    _ name: String, _ arguments: [String], on pdf: [UInt8], last: [String] = []
  ) throws -> [UInt8] {
    let path = "/usr/bin/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing() }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pdf")
    try Data(pdf).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments + [file.path] + last
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(bytes)
  }
}
