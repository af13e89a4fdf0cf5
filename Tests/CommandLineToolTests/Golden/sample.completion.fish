# fish completion for sample, made by sample --generate-completion fish
complete -c sample -F
complete -c sample -s b -l board -r -f -d 'Inner corners of the chessboard, columns x rows'
complete -c sample -l square -r -f -d 'Side of a square with its unit'
complete -c sample -l lens -r -f -a 'pinhole rational fisheye' -d 'Lens model'
complete -c sample -l size -r -f -d 'Use only images of this size'
complete -c sample -s j -l jobs -r -f -d 'Threads'
complete -c sample -l skip -r -f -d 'Leave this image out'
complete -c sample -l store -r -f -a '(__fish_complete_directories)' -d 'Root of the store'
complete -c sample -s q -l quiet -d 'Say only warnings and errors'
complete -c sample -s v -l verbose -d 'Say more'
complete -c sample -s h -l help -d 'Show this help and exit'
complete -c sample -l version -d 'Show the version and exit'
