# fish completion for import-calibration, made by import-calibration --generate-completion fish
complete -c import-calibration -F
complete -c import-calibration -l camera -r -f -d 'Which camera of a file that holds several, as the file calls it'
complete -c import-calibration -l size -r -f -d 'The size of the images, for files that do not state it'
complete -c import-calibration -l lens -r -f -a 'pinhole rational fisheye spline' -d 'The lens model, for files with four coefficients that do not state it'
complete -c import-calibration -l device -r -f -d 'Whose camera it is'
complete -c import-calibration -l device-name -r -f -d 'A name to store it under'
complete -c import-calibration -l store -r -f -a '(__fish_complete_directories)' -d 'Root of the store'
complete -c import-calibration -l replace -d 'Let it take the place of a better calibration, which goes to the history'
complete -c import-calibration -l dry-run -d 'Read and show it, but store nothing'
complete -c import-calibration -l json -d 'Print the record as JSON, and nothing else there'
complete -c import-calibration -s q -l quiet -d 'Say only warnings and errors'
complete -c import-calibration -s h -l help -d 'Show this help and exit'
complete -c import-calibration -l version -d 'Show the version and exit'
