# mettle.bash - completion of mettle's command line in bash. The words come from
# mettle --help and mettle COMMAND --help, so they are those of the program that is
# installed.
_mettle_commands() { mettle --help 2>/dev/null | sed -n 's/^  mettle \([a-z][a-z]*\) .*/\1/p' | sort -u; }
_mettle_options() { mettle ${1:+"$1"} --help 2>/dev/null </dev/null | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u; }

_mettle_passes() { mettle opt --list 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p' | sort -u; }

_mettle() {
  local word=${COMP_WORDS[COMP_CWORD]} command="" reply known
  COMPREPLY=()
  known=" $(_mettle_commands | tr '\n' ' ')"
  [[ $COMP_CWORD -gt 1 && $known == *" ${COMP_WORDS[1]} "* ]] && command=${COMP_WORDS[1]}
  if [[ $word == -* ]]; then
    while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -W "$(_mettle_options "$command")" -- "$word")
    return
  fi
  if [ "$COMP_CWORD" = 1 ]; then
    while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -W "$known" -- "$word")
  fi
  if [ "$COMP_CWORD" = 2 ] && [ "$command" = opt ]; then
    while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -W "$(_mettle_passes)" -- "$word")
    return
  fi
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "$word")
}
complete -o filenames -F _mettle mettle
