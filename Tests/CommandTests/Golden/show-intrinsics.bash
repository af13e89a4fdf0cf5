# bash completion for show-intrinsics, made by show-intrinsics --generate-completion bash
_show_intrinsics() {
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
    --size|--restore|--rename|--attach)
      COMPREPLY=()
      return ;;
    --store)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return ;;
    -f|--format)
      COMPREPLY=($(compgen -W 'text json opencv ros kalibr colmap float3x3' -- "$word"))
      return ;;
    --origin)
      COMPREPLY=($(compgen -W 'center corner' -- "$word"))
      return ;;
    -o|--output)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
  esac
  if [[ $word == -* ]] && ((index == COMP_CWORD)); then
    compopt -o nospace
    COMPREPLY=($(compgen -W "--size= --store= --format= --hex --origin= --output= --quiet --history --restore= --remove --rename= --attach= --help --version" -- "$word"))
    for index in "${!COMPREPLY[@]}"; do
      [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
    done
    return
  fi
  COMPREPLY=()
}
complete -F _show_intrinsics show-intrinsics
