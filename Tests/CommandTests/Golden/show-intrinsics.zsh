#compdef show-intrinsics
# made by show-intrinsics --generate-completion zsh
_arguments -s -S \
  '(--size)--size=[Only the calibration of frames of this size]:WIDTHxHEIGHT: ' \
  '(--store)--store=[Root of the store]:DIR:_files -/' \
  '(-f --format)'{-f+,--format=}'[text]:FORMAT:(text json opencv ros kalibr colmap float3x3)' \
  '(--hex)--hex[Write the bytes of float3x3 as hexadecimal text, a column of the matrix a line]' \
  '(--origin)--origin=[Where the principal point is measured from]:ORIGIN:(center corner)' \
  '(-o --output)'{-o+,--output=}'[Write to this file instead of standard output, which - stands for, too]:FILE:_files' \
  '(-q --quiet)'{-q,--quiet}'[Say nothing on standard error but warnings and errors]' \
  '(--history --restore --remove --rename --attach)--history[List the records of DEVICE that were replaced, removed or set aside]' \
  '(--history --restore --remove --rename --attach)--restore=[Make a record of the history current again]:TIME: ' \
  '(--history --restore --remove --rename --attach)--remove[Move the current records of DEVICE (of one with --size) to the history]' \
  '(--history --restore --remove --rename --attach)--rename=[Give DEVICE another name]:NAME: ' \
  '(--history --restore --remove --rename --attach)--attach=[File the records of DEVICE, which is known by a name only, under a camera]:CAMERA: ' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:DEVICE: '
