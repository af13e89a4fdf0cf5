# fish completion for list-cameras, made by list-cameras --generate-completion fish
complete -c list-cameras -l json -d 'Print a JSON array, with an object for each camera'
complete -c list-cameras -l store -r -f -a '(__fish_complete_directories)' -d 'Root of the store'
complete -c list-cameras -s q -l quiet -d 'Say nothing on standard error but warnings and errors'
complete -c list-cameras -s h -l help -d 'Show this help and exit'
complete -c list-cameras -l version -d 'Show the version and exit'
