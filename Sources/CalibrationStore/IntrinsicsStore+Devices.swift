extension IntrinsicsStore {
  /// The stored device that a person means by a text; nil where there is none.
  ///
  /// In this order: a device id; the name that was given to a device that is known by its name only
  /// (`Left camera` for `name:left-camera`; names hold no `/`); the name in a record, whatever its case.
  ///
  /// - Throws: `StoreError` with the code `ambiguous` where several devices have the name: which of
  ///   two equal cameras is meant must not be guessed.
  public func device(matching text: String) throws(StoreError) -> DeviceID? {
    let literal = DeviceID(rawValue: text)
    if literal.invalidityReason == nil, try holds(literal) { return literal }
    // Only for what can be given as a name: ../left is not the camera called left.
    let given = try? GivenName.identity(text, option: "").id
    if let given, try holds(given) { return given }
    let wanted = text.lowercased()
    var matches: [DeviceID] = []
    for entry in try calibrations() {
      guard case .success(let record) = entry.record, record.device.name.lowercased() == wanted,
        !matches.contains(entry.device)
      else { continue }
      matches.append(entry.device)
    }
    guard matches.count > 1 else { return matches.first }
    throw StoreError(
      code: .ambiguous, subject: "device \"\(text.clipped)\"",
      message: "\(matches.count) devices have this name: "
        + matches.map(\.rawValue.clipped).joined(separator: ", ") + "; give one of these ids")
  }

  /// Whether anything is filed under a device, be it in the history only.
  private func holds(_ device: DeviceID) throws(StoreError) -> Bool {
    let folder = try FileNames.folder(of: device)
    for root in [root] + fallbackRoots {
      let names = try Disk.names(in: checked(root) + "/" + folder)
      if names.contains(where: {
        FileNames.resolution(ofRecord: $0) != nil || FileNames.resolution(ofHistory: $0) != nil
      }) {
        return true
      }
    }
    return false
  }
}
