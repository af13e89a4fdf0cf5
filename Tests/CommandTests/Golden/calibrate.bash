# bash completion for calibrate, made by calibrate --generate-completion bash
_calibrate() {
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
    --board|--square|--board-size|--coefficients|--fix|--prior|--size|--every|--max-views|-j|--jobs|--goal|--views|--give-up|--fps|--device|--device-name)
      COMPREPLY=()
      return ;;
    --lens)
      COMPREPLY=($(compgen -W 'auto pinhole rational fisheye spline' -- "$word"))
      return ;;
    --solver)
      COMPREPLY=($(compgen -W 'own opencv' -- "$word"))
      return ;;
    --corners|--dump-corners)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
    --keep-frames|--store|--draw)
      compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return ;;
    --format)
      COMPREPLY=($(compgen -W 'YUYV UYVY NV12 YU12 GREY Y16 RGB3 BGR3 MJPG JPEG' -- "$word"))
      return ;;
  esac
  if [[ $word == -* ]] && ((index == COMP_CWORD)); then
    compopt -o nospace
    COMPREPLY=($(compgen -W "--board= --square= --board-size= --lens= --coefficients= --solver= --no-outliers --no-bend --square-pixels --zero-tangential --fix= --prior= --size= --every= --max-views= --corners= --dump-corners= --jobs= --goal= --views= --give-up= --keep-frames= --format= --fps= --lock-exposure --device= --device-name= --store= --replace --dry-run --json --draw= --timings --quiet --verbose --help --version" -- "$word"))
    for index in "${!COMPREPLY[@]}"; do
      [[ ${COMPREPLY[index]} == *= ]] || COMPREPLY[index]+=" "
    done
    return
  fi
  compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _calibrate calibrate
