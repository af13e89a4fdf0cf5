# bash completion for compare-calibrations, made by compare-calibrations --generate-completion bash
_compare_calibrations() {
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
    --store)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return ;;
  esac
  if [[ $word == -* ]] && ((index == COMP_CWORD)); then
    compopt -o nospace
    COMPREPLY=($(compgen -W "--scale --store= --json --quiet --help --version" -- "$word"))
    for index in "${!COMPREPLY[@]}"; do
      [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
    done
    return
  fi
  compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _compare_calibrations compare-calibrations
