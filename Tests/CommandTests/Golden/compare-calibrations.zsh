#compdef compare-calibrations
# made by compare-calibrations --generate-completion zsh
_arguments -s -S \
  '(--scale)--scale[Where the sizes differ, take B as resized to A'\''s size]' \
  '(--store)--store=[Root of the store]:DIR:_files -/' \
  '(--json -q --quiet)--json[Print everything as JSON on standard output, and nothing else there]' \
  '(--json -q --quiet)'{-q,--quiet}'[Print nothing but errors]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:CALIBRATION:_files'
