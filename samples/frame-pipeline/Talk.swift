import CameraIntrinsics
import FoundationEssentials
import Glibc

/// Writes a line to standard output at once, whoever reads it.
func show(_ line: String) { put(line, to: STDOUT_FILENO) }

/// Writes a line to standard error.
func say(_ line: String) { put("frame-pipeline: " + line, to: STDERR_FILENO) }

private func put(_ line: String, to descriptor: Int32) {
  var rest = Array((line + "\n").utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { exit(status: 74) }
    rest = rest.dropFirst(count)
  }
}

/// Ends the program.
func exit(status: Int32) -> Never { Glibc.exit(status) }

/// Ends the program with the status that belongs to an error.
func exit(_ error: any Error) -> Never {
  switch error {
  case let error as CaptureError:
    switch error.code {
    case .intrinsicsUnavailable: exit(status: 1)
    case .noPermission: exit(status: 77)
    default: exit(status: 69)
    }
  case is StoreError: exit(status: 66)
  default: exit(status: 73)
  }
}

/// Bytes as hexadecimal digits.
func hexadecimal(_ data: Data) -> String {
  let digits = Array("0123456789abcdef")
  return String(data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}
