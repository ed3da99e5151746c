# bash completion for dlspec; written by `dlspec --completion bash`
_dlspec() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= options=
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "run inspect matrix rules selftest fuzz header report baseline init --help --version" -- "$word")
    return
  fi
  case $before in
    --role) words="both bridge consumer producer" ;;
    --level) words="convention implied may must should" ;;
    --color) words="always auto never" ;;
  esac
  case ${COMP_WORDS[1]} in
    run) options="--help --role --rules --case --level --shard --device --seed --python --jobs --timeout --budget --memory --offline --refresh --yes --wrapper --in-process --smoke --thorough --strict --baseline --json --junit --html --markdown --sarif --badge --emit-reproducer --quiet --verbose --color" ;;
    inspect) options="--help --setup --path --python --with --offline --yes --svg --timeout --color" ;;
    matrix) options="--help --case --seed --python --jobs --timeout --budget --memory --offline --refresh --yes --strict --json --junit --html --markdown --sarif --badge --quiet --verbose --color" ;;
    rules) options="--help --coverage --questions --color" ;;
    selftest) options="--help --rules --python --jobs --thorough --quiet" ;;
    fuzz) options="--help --minutes --first --sequence --seed --shard --python --jobs --timeout --memory --offline --refresh --yes --json --junit --html --markdown --sarif --badge --emit-reproducer --quiet --color" ;;
    header) options="--help --include --compiler --strict" ;;
    report) options="--help --baseline --json --junit --html --markdown --sarif --badge --strict --quiet --verbose --color" ;;
    baseline) options="--help --quiet" ;;
    init) options="--help --output --python" ;;
  esac
  if [ -z "$words" ] && [[ $word == -* ]]; then words=$options; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _dlspec dlspec
