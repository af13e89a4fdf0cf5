# bash completion for make-board, made by make-board --generate-completion bash
_make_board() {
  local word="${COMP_WORDS[COMP_CWORD]}" previous="" index
  COMPREPLY=()
  if ((COMP_CWORD > 0)); then previous="${COMP_WORDS[COMP_CWORD-1]}"; fi
  # Bash splits --name=value at the sign: the option is then two words back.
  if [[ $word == "=" ]]; then
    word=""
  elif [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ ${COMP_WORDS[index]} == "--" ]]; then previous="" && break; fi
  done
  case $previous in
    --board|--square|--margin|--screen|--dpi)
      COMPREPLY=()
      return ;;
    --paper)
      COMPREPLY=($(compgen -W 'a0 a1 a2 a3 a4 a5 a6 letter legal tabloid' -- "$word"))
      return ;;
    -o|--output)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
    --format)
      COMPREPLY=($(compgen -W 'pdf svg png' -- "$word"))
      return ;;
  esac
  if [[ $word == -* ]] && ((index == COMP_CWORD)); then
    compopt -o nospace
    COMPREPLY=($(compgen -W "--board= --square= --paper= --margin= --screen= --output= --format= --dpi= --quiet --help --version" -- "$word"))
    for index in "${!COMPREPLY[@]}"; do
      [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
    done
    return
  fi
  COMPREPLY=()
}
complete -F _make_board make-board
