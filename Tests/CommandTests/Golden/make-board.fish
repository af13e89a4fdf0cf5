# fish completion for make-board, made by make-board --generate-completion fish
complete -c make-board -f
complete -c make-board -l board -r -f -d 'The board\'s inner corners, columns x rows, as calibrate counts them'
complete -c make-board -l square -r -f -d 'The side of a square with its unit, for example 25mm (mm, cm, m or in)'
complete -c make-board -l paper -r -f -a 'a0 a1 a2 a3 a4 a5 a6 letter legal tabloid' -d 'The paper'
complete -c make-board -l margin -r -f -d 'The least white margin around the squares'
complete -c make-board -l screen -r -f -d 'Make a picture for a screen of this diagonal, for example 27in, and the pixels given as operand'
complete -c make-board -s o -l output -r -F -d 'The file to write, or - for standard output'
complete -c make-board -l format -r -f -a 'pdf svg png' -d 'pdf, svg or png'
complete -c make-board -l dpi -r -f -d 'The resolution of a PNG for paper, in dots an inch'
complete -c make-board -s q -l quiet -d 'Say only warnings and errors on standard error'
complete -c make-board -s h -l help -d 'Show this help and exit'
complete -c make-board -l version -d 'Show the version and exit'
