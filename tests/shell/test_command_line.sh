#!/bin/bash
# test_command_line.sh - what shells and readers know of the command line:
# --help of every command, completions in bash, zsh and fish, the manual page.
#
# Guards: repl/commands/commands.c, packaging/completions, scripts/manual.lua:
# --help of every command, completions in bash, zsh and fish, the manual page
count=0
ok() {
  count=$((count + 1)); if [ "$2" = 0 ]; then echo "ok $count - $1"; else echo \
    "not ok $count - $1"; sed 's/^/# /' "$HOME/said"; fi
}
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }
here=$PWD
mkdir -p "$HOME/bin" && ln -s "$METTLE" "$HOME/bin/mettle"
export PATH=$HOME/bin:$PATH

commands=$(mettle --help | sed -n 's/^  mettle \([a-z][a-z]*\) .*/\1/p' | sort -u)
[ "$(wc -w <<<"$commands")" -ge 7 ]; ok "--help names the commands" $?
for c in $commands; do
  mettle "$c" --help >"$HOME/said" 2>&1 && grep -q "^usage: mettle $c" "$HOME/said"; ok "mettle $c --help says how it is used" $?
done

for c in "" $commands; do
  # shellcheck disable=SC2086  # a command or none
  mettle $c --help
done | awk 'length > 80' >"$HOME/said"
[ ! -s "$HOME/said" ]; ok "no line of it is wider than a terminal" $?

# ------------------------------------------------------------------------ bash
# offers WORDS…: what bash offers for the last of them
offers() {
  # shellcheck source=/dev/null
  (. "$here/packaging/completions/mettle.bash"
   # shellcheck disable=SC2034  # _mettle reads it
   COMP_WORDS=(mettle "$@") COMP_CWORD=$#
   _mettle; printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}) | tee "$HOME/said"
}
mkdir "$HOME/files" && cd "$HOME/files" || exit 1
[ "$(offers doc)" = doctor ]; ok "bash: a command" $?
[ "$(offers --vers)" = --version ]; ok "bash: an option of mettle" $?
[ "$(offers check --sar)" = --sarif ]; ok "bash: an option of a command" $?
[ "$(offers compile --grid)" = "" ]; ok "bash: not another command's" $?
: >"a kernel.metal"
[ "$(offers check a)" = "a kernel.metal" ]; ok "bash: a file" $?
cd "$here" || exit 1

# ---------------------------------------------------------------- other shells
for s in zsh:_mettle fish:mettle.fish; do
  shell=${s%%:*}
  command -v "$shell" >/dev/null || { skip "$shell reads its file" "$shell is not installed"; continue; }
  "$shell" -n "packaging/completions/${s#*:}" >"$HOME/said" 2>&1; ok "$shell reads its file" $?
done
if command -v fish >/dev/null; then
  fish -c 'source packaging/completions/mettle.fish; complete -C "mettle check --sar"' >"$HOME/said" 2>&1
  grep -q '^--sarif' "$HOME/said"; ok "fish: an option of a command" $?
else
  skip "fish: an option of a command" "fish is not installed"
fi

# ------------------------------------------------------------------ the manual
mettle scripts/manual.lua >"$HOME/mettle.1" 2>"$HOME/said"
ok "the manual is made" $?
for c in $commands; do grep -q "^\.SH MORE ABOUT $(tr '[:lower:]' '[:upper:]' <<<"$c")" "$HOME/mettle.1" || echo "$c"; done >"$HOME/said"
[ ! -s "$HOME/said" ]; ok "every command has its part" $?
if command -v mandoc >/dev/null; then
  mandoc -T lint -W error "$HOME/mettle.1" >"$HOME/said" 2>&1; ok "mandoc finds no mistake" $?
elif command -v groff >/dev/null; then
  groff -K utf8 -man -Tutf8 -z -ww "$HOME/mettle.1" >"$HOME/said" 2>&1 && [ ! -s "$HOME/said" ]; ok "groff finds no mistake" $?
else
  skip "the manual has no mistake" "neither mandoc nor groff is installed"
fi
echo "1..$count"
