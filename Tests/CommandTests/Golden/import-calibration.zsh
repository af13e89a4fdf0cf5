#compdef import-calibration
# made by import-calibration --generate-completion zsh
_arguments -s -S \
  '(--camera)--camera=[Which camera of a file that holds several, as the file calls it]:ID: ' \
  '(--size)--size=[The size of the images, for files that do not state it]:WIDTHxHEIGHT: ' \
  '(--lens)--lens=[The lens model, for files with four coefficients that do not state it]:MODEL:(pinhole rational fisheye spline)' \
  '(--device --device-name)--device=[Whose camera it is]:DEVICE: ' \
  '(--device --device-name)--device-name=[A name to store it under]:NAME: ' \
  '(--store)--store=[Root of the store]:DIR:_files -/' \
  '(--replace)--replace[Let it take the place of a better calibration, which goes to the history]' \
  '(--dry-run)--dry-run[Read and show it, but store nothing]' \
  '(--json)--json[Print the record as JSON, and nothing else there]' \
  '(-q --quiet)'{-q,--quiet}'[Say only warnings and errors]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:FILE:_files'
