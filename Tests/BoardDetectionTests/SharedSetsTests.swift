import Boards
import Foundation
import Imaging
import TestSupport
import Testing

@testable import BoardDetection

/// Real photographs beside the package; absent in most clones.
enum SharedSets {
  static let folder = SharedData.root

  struct ChessboardSet {
    var name: String
    var columns: Int
    var rows: Int
    /// What the better of OpenCV's two finders found, and all images.
    var bestCount: Int
    var files: [String]
  }

  static func chessboards() throws -> [ChessboardSet] {
    guard let folder else { return [] }
    // Python wrote it, with NaN, which is no JSON.
    let text = try String(contentsOfFile: folder + "/baseline.json", encoding: .utf8)
      .replacingOccurrences(of: "NaN", with: "null")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let root = try #require(object as? [String: Any])
    let sets = try #require(root["sets"] as? [String: [String: Any]])
    return sets.compactMap { name, set in
      guard set["kind"] as? String == "chess", let size = set["board"] as? [Int],
        let images = set["per_image"] as? [String: [String: Any]]
      else { return nil }
      func count(_ finder: String) -> Int {
        images.values.count { ($0[finder] as? [String: Any])?["found"] as? Bool == true }
      }
      return ChessboardSet(
        name: name, columns: size[0], rows: size[1],
        bestCount: max(count("fcc_default"), count("sb")), files: images.keys.sorted())
    }.sorted { $0.name < $1.name }
  }
}

@Suite struct SharedSetsTests {
  /// A few images of each kind of difficulty in the short run; all sets in the long one.
  @Test(.enabled(if: SharedSets.folder != nil, "the shared photographs are not here"))
  func asManyBoardsAsTheBetterOfOpenCVsFinders() throws {
    let folder = try #require(SharedSets.folder)
    // Quick sets that both finders know: every image must be found.
    let short = ["infrared-vga", "sony-hx5v-vga", "opencv-stereo-vga"]
    for set in try SharedSets.chessboards() where longTests || short.contains(set.name) {
      let detector = ChessboardDetector(
        board: ChessboardGeometry(columns: set.columns, rows: set.rows, squareSizeMetres: 1))
      let files = longTests ? set.files : Array(set.files.prefix(3))
      var found = 0
      for file in files {
        let image = try ImageFile.grayImage(ofFileAt: "\(folder)/\(set.name)/\(file)")
        if try detector.detect(in: image).board != nil { found += 1 }
      }
      print("\(set.name): \(found) of \(files.count), OpenCV's better finder \(set.bestCount)")
      #expect(found >= (longTests ? set.bestCount : files.count), "\(set.name)")
    }
  }

  @Test(.enabled(if: SharedSets.folder != nil && longTests, "needs the shared photographs"))
  func nothingIsFoundWhereNothingIs() throws {
    let folder = try #require(SharedSets.folder) + "/no-board"
    let detector = ChessboardDetector(
      board: ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 1))
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where !file.hasSuffix(".md") {
      let image = try ImageFile.grayImage(ofFileAt: folder + "/" + file)
      #expect(try detector.detect(in: image).board == nil, "\(file)")
    }
  }

  /// Pain 18 on photographs: squares were counted instead of corners.
  ///
  /// A wrong answer leads astray, none is no harm: the true size or nothing.
  @Test(.enabled(if: SharedSets.folder != nil, "the shared photographs are not here"))
  func theTrueBoardIsSuggestedOrNone() throws {
    let folder = try #require(SharedSets.folder)
    var (right, silent) = (0, 0)
    let short = [
      "infrared-vga", "sony-hx5v-vga", "opencv-stereo-vga", "iphone6-960x540", "ros-webcam-vga",
      "gopro-wide-1280x960", "board-on-phone-vga", "carnd-720p",
    ]
    // Photographs without the whole board, or with another one, have no true size.
    let incomplete = ["calibration1.jpg", "calibration5.jpg", "calibration4.jpg", "Series1_4.jpg"]
    for set in try SharedSets.chessboards() where longTests || short.contains(set.name) {
      let (columns, rows) = (max(set.columns, set.rows), min(set.columns, set.rows))
      let wrong = ChessboardDetector(
        board: ChessboardGeometry(columns: columns + 1, rows: rows + 1, squareSizeMetres: 1))
      for file in set.files.filter({ !incomplete.contains($0) }).prefix(longTests ? 4 : 1) {
        let image = try ImageFile.grayImage(ofFileAt: "\(folder)/\(set.name)/\(file)")
        guard let sighting = try wrong.sightOtherBoard(in: image) else {
          silent += 1
          print("\(set.name)/\(file): silent")
          continue
        }
        right += 1
        let board = sighting.board
        #expect(board.columns == columns && board.rows == rows, "\(set.name)/\(file): \(board)")
      }
    }
    print("boards suggested: \(right) right, \(silent) silent")
    #expect(right > 8 * silent)
  }

  /// Pain 18 for all kinds of wrong sizes: most images name the board, none another one.
  @Test(
    .enabled(if: SharedSets.folder != nil, "the shared photographs are not here"),
    arguments: [
      ("stereo-webcam-640x360", 9, 6), ("opencv-stereo-vga", 9, 6), ("ros-720p-pillarbox", 9, 7),
      ("iphone6-960x540", 9, 7), ("portrait-1080x1920", 17, 12),
    ])
  func mostPhotographsNameTheirBoard(name: String, columns: Int, rows: Int) throws {
    let folder = try #require(SharedSets.folder)
    let set = try #require(try SharedSets.chessboards().first { $0.name == name })
    var asked = [(columns + 1, rows + 1), (columns, rows - 1), (columns + 1, rows)]
    if longTests { asked += [(columns, rows + 1), (columns - 1, rows), (8, 6), (5, 4), (12, 9)] }
    var (named, all) = (0, 0)
    for file in set.files.prefix(longTests ? 13 : 4) {
      let image = try ImageFile.grayImage(ofFileAt: "\(folder)/\(name)/\(file)")
      for (c, r) in asked {
        let detector = ChessboardDetector(
          board: ChessboardGeometry(columns: c, rows: r, squareSizeMetres: 1))
        all += 1
        guard let board = try detector.sightOtherBoard(in: image)?.board else { continue }
        named += 1
        #expect(board == BoardSuggestion(columns: columns, rows: rows), "\(file) for \(c)x\(r)")
      }
      let right = ChessboardDetector(
        board: ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 1))
      guard let board = try right.detect(in: image).board else { continue }
      #expect(!right.isPart(board, in: image), "\(file)")
    }
    print("\(name): \(named) of \(all) named")
    #expect(named * 10 >= all * 8)
  }

  @Test(
    "A board of hundreds of squares is looked for right after those that differ by one",
    .enabled(if: SharedSets.folder != nil, "the shared photographs are not here"))
  func largeBoardIsAmongTheFirst() throws {
    let folder = try #require(SharedSets.folder)
    let image = try ImageFile.grayImage(ofFileAt: folder + "/portrait-1080x1920/img0.jpg")
    let detector = ChessboardDetector(
      board: ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 1))
    let sizes = OtherSizes(columns: 9, rows: 6).steps
    let largest = try #require(sizes.firstIndex(of: .largest(isExhaustive: false)))
    // All that differ by one each way, and no more: each takes 25 ms here.
    #expect(largest == 8)
    let board = try #require(try detector.sightOtherBoard(in: image)?.board)
    #expect(board == BoardSuggestion(columns: 17, rows: 12))
    let again = OtherSizes(columns: 9, rows: 6, seen: [board])
    #expect(again.steps.first == .size(board) && again.steps.count == sizes.count + 1)
    let known = try detector.sightOtherBoard(in: image, seen: [board])?.board
    #expect(known == board)
  }
}
