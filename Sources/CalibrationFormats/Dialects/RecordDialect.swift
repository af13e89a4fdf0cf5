internal import CalibrationStore
internal import CameraModel

/// Our own records: one, as `calibrate --json` prints it, or a list, as `show-intrinsics` does.
///
/// Everything that a record holds is kept, not the camera alone.
enum RecordDialect {
  static let name = "camera-intrinsics record"

  static func matches(_ root: Node) -> Bool {
    func isRecord(_ node: Node) -> Bool { node.has("schema") && node.has("lensModel") }
    return isRecord(root) || root.elements?.first.map(isRecord) ?? false
  }

  static func candidates(_ source: SourceText) throws(FormatError) -> [Candidate] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: Array(source.text.utf8))
    } catch {
      throw FormatError(.syntax, "\(error)")
    }
    guard case .array(let elements) = value else {
      return [candidate(value, id: "")]
    }
    return elements.map { element in
      let record = try? IntrinsicsRecord(jsonValue: element, source: "the record")
      let id = record.map { "\($0.device.id)@\($0.camera.resolution)" } ?? "unreadable record"
      return candidate(element, id: elements.count == 1 ? "" : id)
    }
  }

  private static func candidate(_ value: JSONValue, id: String) -> Candidate {
    Candidate(id) { () throws(FormatError) in
      let record: IntrinsicsRecord
      do throws(StoreError) {
        record = try IntrinsicsRecord(jsonValue: value, source: "the record")
      } catch {
        throw FormatError(.badValue, error.message)
      }
      if let measured = record.scaledFrom {
        throw FormatError(
          .notRepresentable,
          "the record was scaled from \(measured), not measured; import the measured one")
      }
      let numbers = record.camera.parameterVector.compactMap { DecimalText($0) }
      var draft = try CameraDraft(
        Array(numbers.prefix(4)), lens: .undistorted, resolution: record.camera.resolution, line: 1)
      draft.record = record
      return draft
    }
  }
}
