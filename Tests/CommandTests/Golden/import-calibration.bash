# bash completion for import-calibration, made by import-calibration --generate-completion bash
_import_calibration() {
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
    --camera|--size|--device|--device-name)
      COMPREPLY=()
      return ;;
    --lens)
      COMPREPLY=($(compgen -W 'pinhole rational fisheye spline' -- "$word"))
      return ;;
    --store)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return ;;
  esac
  if [[ $word == -* ]] && ((index == COMP_CWORD)); then
    compopt -o nospace
    COMPREPLY=($(compgen -W "--camera= --size= --lens= --device= --device-name= --store= --replace --dry-run --json --quiet --help --version" -- "$word"))
    for index in "${!COMPREPLY[@]}"; do
      [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
    done
    return
  fi
  compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _import_calibration import-calibration
