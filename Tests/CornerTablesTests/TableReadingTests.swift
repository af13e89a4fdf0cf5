import Boards
import CameraModel
import Testing

@testable import CornerTables

@Suite("Reading tables of corners")
struct TableReadingTests {
  @Test("mrgingham's table: points to the last bit, in their order, with names and lines")
  func plain() throws {
    let table = try Sample.read(Sample.table())
    #expect(table.views.map(\.source) == ["image0.jpg", "image1.jpg", "image2.jpg"])
    #expect(table.views.map(\.pixels) == (0..<3).map { Sample.points($0) })
    #expect(table.views.map(\.line) == [3, 57, 111])
    #expect(table.views.allSatisfy { !$0.isUsed.contains(false) })
    #expect(table.isUniform)
    #expect(table.notices == ["column 'level': decimation level, a residual's weight is 1/2^level"])
  }

  @Test("Columns go by their names, blanks and empty lines do not matter, nor does a missing end")
  func legend() throws {
    let text = Sample.table(legend: "  #y  extra x filename sigma") { image, point in
      "\t\(point.y) abc  \(point.x)\timage\(image).jpg 0.5\r\n"
    }
    let table = try Sample.read(String(text.dropLast(2)))
    #expect(table.views.map(\.pixels) == (0..<3).map { Sample.points($0) })
    #expect(table.views[0].deviations == Array(repeating: 0.5, count: 54))
    #expect(table.confidence == .sigma)
  }

  @Test("Without a legend a fourth column is the level, and this is said")
  func noLegend() throws {
    let table = try Sample.read(Sample.table(legend: "# corners of my camera"))
    #expect(table.notices.first?.hasPrefix("no comment names the fourth column") == true)
    let bare = try Sample.read(
      Sample.table(legend: "") { "image\($0).jpg \($1.x) \($1.y)" })
    #expect(bare.notices.isEmpty)
  }

  @Test(
    "A level is worth 1/2^level, a weight 1/deviation; what is not to be used is told by - and -1")
  func weights() throws {
    var count = 0
    let levels = Sample.table { image, point in
      count += 1
      return Sample.row(image, point, ["0", "1", "3", "-", "-1"][count % 5])
    }
    let table = try Sample.read(levels)
    #expect(table.views[0].deviations[..<5] == [2, 8, 1, 1, 1])
    #expect(table.views[0].isUsed[..<5] == [true, true, false, false, true])
    #expect(!table.isUniform)
    let weights = try Sample.read(
      Sample.table(legend: "# filename x y weight") { Sample.row($0, $1, "0.25") })
    #expect(weights.views[1].deviations == Array(repeating: 4, count: 54))
  }

  @Test("Images without a board, and points that were not seen")
  func missing() throws {
    var count = 0
    let table = try Sample.read(
      "none1.jpg - -\nnone2.jpg - - -\n"
        + Sample.table(legend: "") { image, point in
          count += 1
          return count % 7 == 3 ? "image\(image).jpg - - -" : Sample.row(image, point)
        })
    #expect(table.views.map(\.isEmpty) == [true, true, false, false, false])
    #expect(table.views[2].pixels[2].isSeen == false)
    #expect(table.views[2].isUsed[2] == false)
    #expect(table.views[2].pixels[3] == Sample.points(0)[3])
    let sparse = try Sample.read(
      Sample.table(legend: "") { image, point in
        image == 1 && point.x > 270 ? "image1.jpg - -" : Sample.row(image, point)
      })
    #expect(sparse.views[1].isUsed.contains(true) == (sparse.views[1].reason == nil))
  }

  @Test(
    "What makes no sense is refused with the line and the cure",
    arguments: [
      ("a.jpg 1\n", 1, "found 2 columns"),
      ("a.jpg 1 2 3 4\n", 1, "found 5 columns"),
      ("a.jpg;1;2\n", 1, "with blanks or commas between"),
      (
        "filename,x,y\na.jpg,1\n", 2, "found 2 columns, expected 'filename x y' with commas between"
      ),
      ("a.jpg,1,\n", 1, "y is ''"),
      ("\n# x\na.jpg 1 nan 0\n", 3, "y is 'nan'"),
      ("a.jpg inf 2\n", 1, "x is 'inf'"),
      ("a.jpg 1 2e400\n", 1, "y is '2e400'"),
      ("a.jpg 1 2 0.5\n", 1, "sigma"),
      ("a.jpg 1 2 21\n", 1, "0 to 20"),
      ("# filename x y sigma\na.jpg 1 2 0\n", 2, "above 0"),
      ("# filename x y level sigma\n", 1, "say the same"),
      ("# filename x y\na.jpg 1 2\n# filename y x\n", 3, "from here on"),
      ("a.jpg - -\nb.jpg - -\na.jpg - -\n", 3, "a.jpg stands twice, first in line 1"),
      ("# filename x x\na.jpg 1 2\n", 1, "have 'x' twice"),
      ("# filename x y y\na.jpg 1 2 3\n", 1, "have 'y' twice"),
      ("a.jpg 1 2\na.jpg 2 3\n", 1, "has 2 points, but a 9x6 board has 54"),
    ])
  func malformed(text: String, line: Int, words: String) {
    let error = #expect(throws: CornerTableError.self) { try Sample.read(text) }
    #expect(error?.code == .malformed)
    #expect(error?.line == line)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("Tables without rows, text in another encoding, points outside, no size")
  func wholes() throws {
    #expect(throws: CornerTableError.self) { try Sample.read("") }
    #expect(throws: CornerTableError.self) { try Sample.read("# filename x y\n") }
    #expect(throws: CornerTableError.self) {
      try CornerTable(parsing: [0x61, 0xFF, 0x20, 0x31], board: Sample.board)
    }
    let small = #expect(throws: CornerTableError.self) {
      try Sample.read(Sample.table(), size: (400, 300))
    }
    #expect(small?.message.contains("check --size") == true, "\(small?.message ?? "")")
    let size = #expect(throws: CornerTableError.self) { try Sample.read(Sample.table(), size: nil) }
    #expect(size?.code == .missingSize)
  }

  @Test("A wrong board with as many points is explained by the one whose order they are in")
  func sameCount() {
    for (columns, rows) in [(18, 3), (27, 2)] {
      let board = ChessboardGeometry(columns: columns, rows: rows, squareSizeMetres: 1)
      let error = #expect(throws: CornerTableError.self) {
        try Sample.read(Sample.table(), board: board)
      }
      #expect(
        error?.message.contains(
          "in that of a 9x6 board, which has as many: try --board 9x6") == true,
        "\(error?.message ?? "")")
    }
  }

  @Test(
    "Columns between commas are read as those between blanks",
    arguments: [
      "# filename,x,y,level", "filename,x,y,level", "\"filename\", \"x\", \"y\", \"level\"", "",
    ])
  func commas(legend: String) throws {
    var count = 0
    let table = try Sample.read(
      Sample.table(legend: legend) { image, point in
        count += 1
        let last = ["0", "1", "-", ""][count % 4]
        return count % 13 == 0
          ? "image\(image).jpg,,," : "image\(image).jpg, \(point.x),\(point.y),\(last)"
      })
    #expect(table.views.map(\.source) == ["image0.jpg", "image1.jpg", "image2.jpg"])
    #expect(table.views[0].pixels[0] == Sample.points(0)[0])
    #expect(!table.views[0].pixels[12].isSeen)
    #expect(table.views[0].deviations[..<4] == [2, 1, 1, 1])
    #expect(table.views[0].isUsed[..<4] == [true, false, true, true])
    let named = try Sample.read(
      Sample.table(legend: "filename,x,y") { "\"my image \($0).jpg\",\($1.x),\($1.y)" })
    #expect(named.views[1].source == "my image 1.jpg")
    // A name may hold a comma where columns stand between blanks.
    let odd = try Sample.read(Sample.table(legend: "") { "a,b,c,\($0).jpg \($1.x) \($1.y)" })
    #expect(odd.views[2].source == "a,b,c,2.jpg")
  }

  @Test("A wrong board is explained by one that fits")
  func wrongBoard() {
    let board = ChessboardGeometry(columns: 10, rows: 7, squareSizeMetres: 1)
    let error = #expect(throws: CornerTableError.self) {
      try Sample.read(Sample.table(), board: board)
    }
    #expect(error?.message.contains("try --board 9x6") == true, "\(error?.message ?? "")")
  }

  @Test("What is written is read again to the last bit, as text and as JSON")
  func roundTrip() throws {
    var count = 0
    let legends = ["# filename x y level", "# filename x y sigma"]
    for legend in legends {
      var table = try Sample.read(
        Sample.table(legend: legend) { image, point in
          count += 1
          return count % 11 == 0
            ? "image\(image).jpg - - -"
            : Sample.row(image, point / 3 + 150, ["1", "2", "-", "4"][count % 4])
        } + "none.jpg - -\n")
      table.notices = []
      for text in [try table.text(board: Sample.board), table.jsonText(board: Sample.board)] {
        var again = try Sample.read(text)
        again.notices = []
        for (a, b) in zip(table.views, again.views) {
          #expect(a.source == b.source && a.isUsed == b.isUsed)
          for (index, isUsed) in a.isUsed.enumerated() where isUsed {
            #expect(a.deviations[index] == b.deviations[index])
          }
          #expect(
            a.pixels.map { [$0.x.bitPattern, $0.y.bitPattern] }
              == b.pixels.map { [$0.x.bitPattern, $0.y.bitPattern] })
        }
      }
    }
  }

  @Test("Names with spaces can't stand in a table, but in JSON")
  func spaces() throws {
    let table = CornerTable(views: [.init(source: "my photo.jpg", pixels: [])])
    let error = #expect(throws: CornerTableError.self) { try table.text(board: Sample.board) }
    #expect(error?.code == .unwritable)
    let again = try CornerTable(
      parsing: Array(table.jsonText(board: Sample.board).utf8), board: Sample.board)
    #expect(again.views.map(\.source) == ["my photo.jpg"])
  }
}
