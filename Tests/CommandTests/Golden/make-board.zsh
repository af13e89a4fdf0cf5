#compdef make-board
# made by make-board --generate-completion zsh
_arguments -s -S \
  '(--board)--board=[The board'\''s inner corners, columns x rows, as calibrate counts them]:COLUMNSxROWS: ' \
  '(--square)--square=[The side of a square with its unit, for example 25mm (mm, cm, m or in)]:LENGTH: ' \
  '(--paper --screen)--paper=[The paper]:PAPER:(a0 a1 a2 a3 a4 a5 a6 letter legal tabloid)' \
  '(--margin)--margin=[The least white margin around the squares]:LENGTH: ' \
  '(--paper --screen --dpi)--screen=[Make a picture for a screen of this diagonal, for example 27in, and the pixels given as operand]:DIAGONAL: ' \
  '(-o --output)'{-o+,--output=}'[The file to write, or - for standard output]:FILE:_files' \
  '(--format)--format=[pdf, svg or png]:FORMAT:(pdf svg png)' \
  '(--screen --dpi)--dpi=[The resolution of a PNG for paper, in dots an inch]:N: ' \
  '(-q --quiet)'{-q,--quiet}'[Say only warnings and errors on standard error]' \
  '(-h --help)'{-h,--help}'[Show this help and exit]' \
  '(--version)--version[Show the version and exit]' \
  '*:PIXELS: '
