extension CommandDescription {
  func manPage() -> String { "" }
  func completionScript(for shell: Shell) -> String { "" }
}
