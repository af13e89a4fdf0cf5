#compdef sample
# made by sample --generate-completion zsh
_arguments -s -S \
  '(-b --board)'{-b+,--board=}'[Inner corners of the chessboard, columns x rows]:COLUMNSxROWS: ' \
  '(--square)--square=[Side of a square with its unit]:LENGTH: ' \
  '(--lens)--lens=[Lens model]:MODEL:(pinhole rational fisheye)' \
  '(--size)--size=[Use only images of this size]:WIDTHxHEIGHT: ' \
  '(-j --jobs)'{-j+,--jobs=}'[Threads]:N: ' \
  '*--skip=[Leave this image out]:NAME: ' \
  '(--store)--store=[Root of the store]:DIR:_files -/' \
  '(-q --quiet -v --verbose)'{-q,--quiet}'[Say only warnings and errors]' \
  '(-q --quiet -v --verbose)'{-v,--verbose}'[Say more]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:SOURCE:_files'
