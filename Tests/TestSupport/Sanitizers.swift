import Glibc

/// The sanitizer that the tests run under, if any: it changes what memory and time a thing takes.
package enum Sanitizers {
  /// The address sanitizer: what is freed is held back.
  package static let checksAddresses = dlsym(nil, "__asan_init") != nil
  /// The thread sanitizer.
  package static let checksThreads = dlsym(nil, "__tsan_init") != nil
  /// Any of them: all takes several times as long, so that bounds on time may decide.
  package static var arePresent: Bool { checksAddresses || checksThreads }
}
