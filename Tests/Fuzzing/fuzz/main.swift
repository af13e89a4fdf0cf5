// Feeds random bytes to one of the parsers of outside bytes: FUZZ_TARGET names it, the arguments are
// libFuzzer's. Built and called by `make fuzz`.
import CFuzzer
import Glibc

/// What libFuzzer calls with each input.
///
/// Stands here because its C symbol is made in every file that passes it on.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  // -1 keeps an input out of the corpus.
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: data, count: size))) ? 0 : -1
}

guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }),
  let target = FuzzTarget(rawValue: name)
else {
  print("FUZZ_TARGET must be one of", FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
  exit(64)
}
FuzzTarget.chosen = target
var argc = CommandLine.argc
var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argc, &argv, testOneInput))
