import OpenCVBridge
import Testing

@Suite struct BridgeGuardTests {
  /// What the guard makes of each kind of exception, and the start of its message.
  @Test(arguments: [
    (ocvThrownOpenCV, ocvStatusOpenCVException, "thrown by a test"),
    (ocvThrownOpenCVOutOfMemory, ocvStatusOutOfMemory, "thrown by a test"),
    (ocvThrownBadAlloc, ocvStatusOutOfMemory, "bad_alloc"),
    (ocvThrownStandard, ocvStatusStandardException, "thrown by a test"),
    (ocvThrownInteger, ocvStatusUnknownException, "not a std::exception"),
    (ocvThrownNothing, ocvStatusOK, ""),
  ]) func everyKindOfExceptionBecomesAStatus(
    kind: ocvThrown, status: ocvStatus, message: String
  ) {
    var text = [CChar](repeating: 1, count: 300)
    #expect(ocvThrow(kind, &text, text.count) == status)
    let said = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(said.contains(message))
    if message.isEmpty { #expect(said.isEmpty) }
  }

  @Test func aMessageIsCutToItsBuffer() {
    var text = [CChar](repeating: 7, count: 8)
    #expect(ocvThrow(ocvThrownStandard, &text, 5) == ocvStatusStandardException)
    #expect(text == [116, 104, 114, 111, 0, 7, 7, 7])
    #expect(ocvThrow(ocvThrownStandard, nil, 0) == ocvStatusStandardException)
  }

  @Test func capacityIsChecked() {
    let pixels = [UInt8](repeating: 0, count: 64 * 48)
    var search = ocvChessboardSearch()
    search.columns = 9
    search.rows = 6
    search.finder = ocvFinderClassic
    search.scale = 1
    search.cpuSeconds = 1
    search.wallSeconds = 10
    var corners = [Double](repeating: 0, count: 106)
    var (columns, rows) = (Int32(0), Int32(0))
    #expect(
      ocvFindChessboard(
        pixels, 64, 48, 64, &search, &corners, 53, &columns, &rows, nil, nil, nil, 0)
        == ocvStatusInvalidArgument)
    #expect(
      ocvFindChessboard(
        pixels, 64, 48, 63, &search, &corners, 54, &columns, &rows, nil, nil, nil, 0)
        == ocvStatusInvalidArgument)
    #expect(
      ocvFindChessboard(nil, 64, 48, 64, &search, &corners, 54, &columns, &rows, nil, nil, nil, 0)
        == ocvStatusInvalidArgument)
  }
}
