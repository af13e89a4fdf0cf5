import Boards
import Foundation
import FoundationXML
import Testing

@testable import BoardPrinting

@Suite("Boards as SVG")
struct SVGTests {
  /// The root's attributes and the filled areas outside definitions.
  private final class Reader: NSObject, XMLParserDelegate {
    var root: [String: String] = [:]
    var paths: [String] = []
    private var depthOfDefinitions = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      if name == "svg" { root = attributes }
      if name == "defs" { depthOfDefinitions += 1 }
      let style = (attributes["style"] ?? "") + (attributes["fill"].map { "fill:\($0)" } ?? "")
      if name == "path", depthOfDefinitions == 0, !style.contains("stroke:rgb"),
        let path = attributes["d"]
      {
        paths.append(path)
      }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if name == "defs" { depthOfDefinitions -= 1 }
    }
  }

  @Test("It is well-formed, in millimetres, and its squares are right to 0.1 %")
  func squares() throws {
    let board = ChessboardGeometry(columns: 9, rows: 6, squareSizeMetres: 0.0204)
    let letter = try #require(Paper.named.first { $0.word == "letter" }).paper
    let document = try BoardDocument(board, on: Sheet.orientations(of: letter, for: board))
    let parser = XMLParser(data: Data(try document.data(.svg, pixelsPerMetre: 0)))
    let reader = Reader()
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(reader.root["width"] == "279.4mm")
    #expect(reader.root["height"] == "215.9mm")
    #expect(reader.root["viewBox"] == "0 0 279.4 215.9")
    let parts = reader.paths.flatMap { $0.split(separator: "M") }.filter { $0.contains("L") }
    let boxes = parts.map { path -> (x: ClosedRange<Double>, y: ClosedRange<Double>) in
      let numbers = path.split { " MLZHVC,".contains($0) }.compactMap { Double($0) }
      let xs = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
      let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
      return ((xs.min() ?? 0)...(xs.max() ?? 0), (ys.min() ?? 0)...(ys.max() ?? 0))
    }
    #expect(boxes.count == 35)
    let origin = document.layout.origin * 1000
    for (box, shape) in zip(boxes, board.shapes) {
      guard case .rectangle(let corner, let size) = shape.outline else { continue }
      let from = origin + corner * 20.4
      let to = from + size * 20.4
      for (found, place) in [
        (box.x.lowerBound, from.x), (box.x.upperBound, to.x), (box.y.lowerBound, from.y),
        (box.y.upperBound, to.y),
      ] {
        // cairo keeps 1/256 of a millimetre.
        #expect(abs(found - place) < 1.01 / 256)
      }
      #expect(abs((box.x.upperBound - box.x.lowerBound) / 20.4 - 1) < 0.001)
      #expect(abs((box.y.upperBound - box.y.lowerBound) / 20.4 - 1) < 0.001)
    }
  }
}
