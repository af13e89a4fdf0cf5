# fish completion for compare-calibrations, made by compare-calibrations --generate-completion fish
complete -c compare-calibrations -F
complete -c compare-calibrations -l scale -d 'Where the sizes differ, take B as resized to A\'s size'
complete -c compare-calibrations -l store -r -f -a '(__fish_complete_directories)' -d 'Root of the store'
complete -c compare-calibrations -l json -d 'Print everything as JSON on standard output, and nothing else there'
complete -c compare-calibrations -s q -l quiet -d 'Print nothing but errors'
complete -c compare-calibrations -s h -l help -d 'Show this help and exit'
complete -c compare-calibrations -l version -d 'Show the version and exit'
