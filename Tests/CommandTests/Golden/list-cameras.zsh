#compdef list-cameras
# made by list-cameras --generate-completion zsh
_arguments -s -S \
  '(--json)--json[Print a JSON array, with an object for each camera]' \
  '(--store)--store=[Root of the store]:DIR:_files -/' \
  '(-q --quiet)'{-q,--quiet}'[Say nothing on standard error but warnings and errors]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]'
