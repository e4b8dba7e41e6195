#!/bin/bash
# test_ci.sh - scripts/ci, and the workflow that is a list of its calls: what it
# calls is there, what must work is not allowed to fail, and the steps that any
# machine can do are done here. The long ones with METTLE_TESTS=all.
#
# Guards: scripts/ci and .github/workflows/test.yml, which is a list of its
# calls: each step is there and is called, what must work may not fail; doctor,
# readme, bench, jupyter are done (build, embed, python with METTLE_TESTS=all)
set -u
cd "$(dirname "$0")/../.." || exit 1
mettle=${METTLE:-$PWD/build/mettle}
flow=.github/workflows/test.yml
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export CI_SCRATCH=$work/ci
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said" | head -n 20
  fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

# ------------------------------------------------------------- the workflow

scripts/ci --list >"$work/steps"; cut -d' ' -f1 "$work/steps" >"$work/names"
grep -E '^ *(- )?run:' "$flow" | sed -E 's/^ *(- )?run: *//' >"$work/runs"
# calls FILE: each line calls a step that there is, matrix.step each of a list
calls() {
  local line word
  while IFS= read -r line; do
    word=$(sed -n -E 's|^scripts/ci ([^ ]+).*|\1|p' <<<"$line")
    case $line in *'matrix.step }}'*) continue ;; esac
    grep -qx -- "${word:-none}" "$work/names" || echo "not a step: $line"
  done <"$1" >"$work/said"
  [ ! -s "$work/said" ]
}
calls "$work/runs" && [ "$(grep -c . "$work/runs")" -gt 20 ]
ok "the workflow calls steps of scripts/ci and nothing else" $?
printf 'scripts/ci build\nmake test\n' >"$work/wrong"
! calls "$work/wrong" && grep -q "make test" "$work/said"; ok "another call would be seen" $?
sed -n 's/.*step: \[\(.*\)\]/\1/p' "$flow" | tr -d ' ' | tr , '\n' >"$work/listed"
grep -vxFf "$work/names" "$work/listed" >"$work/said"
[ -s "$work/listed" ] && [ ! -s "$work/said" ]; ok "those of a list, too" $?
# a step that nothing calls would rot
while IFS= read -r name; do
  grep -qE "^scripts/ci $name( |$)" "$work/runs" ||
    grep -qx "$name" "$work/listed" || echo "$name is not called"
done <"$work/names" >"$work/said"
[ ! -s "$work/said" ]; ok "and every step is called" $?

grep -oE '^ *(-[^ ]+ )?make [^>]*' scripts/ci | tr ' ' '\n' |
  grep -E '^[a-z-]+$' | grep -vE '^make$|^-' | sort -u >"$work/goals"
while IFS= read -r goal; do grep -qE "^$goal:" Makefile tests/*/*.mk || echo "the Makefile has no $goal"; done <"$work/goals" >"$work/said"
[ ! -s "$work/said" ] && [ "$(grep -cE '^(test|all|macos|played-mac|personalities|install)$' "$work/goals")" = 6 ]; ok "the steps call goals that the Makefile has" $?
sed -n '/^step_[a-z]*_mac()/,/^}/s/^ *make played-mac *//p' scripts/ci >"$work/said"
[ "$(tr '\n' , <"$work/said")" = ",BARE=1," ]; ok "a Mac is played with Homebrew and without" $?
sed -n 's/.*personality: \[\(.*\)\]/\1/p' "$flow" | tr -d ' ' | tr , '\n' | sort >"$work/called"
grep -oE '"[a-z0-9-]+ STANDIN' tests/metal/personalities | tr -d '"' |
  cut -d' ' -f1 | sort | diff - "$work/called" >"$work/said"
ok "and every personality" $?
sed -n 's/.*os: \[\(.*\)\]/\1/p' "$flow" | tr -d ' ' | tr , '\n' >"$work/legs"
for os in macos-15 macos-26 macos-15-intel; do
  grep -qx "$os" "$work/legs" || echo "no leg on $os"
done >"$work/said"
[ ! -s "$work/said" ]; ok "Macs of both processors and of two systems" $?
# of a step all lines up to the next one
lines_of() { awk -v run="run: scripts/ci $1" '/^ *- / { on = index($0, run) && $0 ~ run "$" } on'; }
macs=$(sed -n '/^  macos:/,/^  # /p' "$flow")
for step in build doctor readme; do
  lines_of "$step" <<<"$macs" | grep -E "continue-on-error|if:"
  lines_of "$step" <<<"$macs" | grep -q . || echo "$step is not called"
done >"$work/said"
[ ! -s "$work/said" ]; ok "what must work on a Mac may not fail" $?
for step in suites bench report; do
  lines_of "$step" <<<"$macs" | grep -q "continue-on-error" || echo "$step"
done >"$work/said"
[ ! -s "$work/said" ]; ok "what an old GPU may lack may" $?
if command -v actionlint >/dev/null; then
  actionlint "$flow" >"$work/said" 2>&1; ok "actionlint is content" $?
else skip "actionlint is content" "actionlint is not installed"; fi
grep -qE '^exec make test' .ci/run; ok "the CI at home runs make test" $?

# ---------------------------------------------------------------- the steps

scripts/ci nonsense >"$work/said" 2>&1
[ $? = 2 ] && grep -q 'no step is called "nonsense"' "$work/said"; ok "an unknown step gets a sentence" $?
GITHUB_OUTPUT=$work/output scripts/ci week &&
  grep -qE '^number=[0-9]{4}-[0-9]{2}$' "$work/output"; ok "week" $?

# programs that are wrong: each step notices
tool() {
  { echo "#!/bin/sh"; cat; } >"$work/program"; chmod +x "$work/program"
}
wrong() { ! METTLE=$work/program scripts/ci "$@" >"$work/said" 2>&1; }
tool <<<'printf "host\tfalse\telement 3 differs\n"'; wrong readme; ok "readme fails if the answer is wrong" $?
tool <<<'printf "host\ttrue\tall 1000000 elements are equal\n"'
METTLE_DEVICE=metal wrong readme &&
  grep -q "did not run on metal" "$work/said"; ok "or of another device" $?
tool <<<'exit 3'
wrong readme && wrong doctor && wrong jupyter && wrong bench; ok "a program that fails fails the step" $?
tool <<<'exit 0'
wrong readme && wrong jupyter && wrong bench; ok "and one that does nothing" $?

# shellcheck source=tests/needs.sh
. tests/needs.sh
export XDG_STATE_HOME=$work/state
if has_kernels; then
  "$mettle" -e "dofile('tests/quick.lua').keep()" >/dev/null 2>&1
  for step in doctor readme bench; do
    METTLE=$mettle scripts/ci "$step" >"$work/said" 2>&1; ok "$step" $?
  done
else skip "doctor, readme, bench" "this build has no LLVM"; fi
if [ -e "$(dirname "$mettle")/jupyter.so" ]; then
  METTLE=$mettle scripts/ci jupyter >"$work/said" 2>&1; ok "jupyter" $?
else skip "jupyter" "this build has no ZeroMQ"; fi

# ------------------------------------------------------------ the long ones

if [ "${METTLE_TESTS:-}" = all ] && has_llvm &&
  [ "${build:-build}" = build ]; then
  unset MAKEFLAGS MAKELEVEL
  scripts/ci build >"$work/said" 2>&1; ok "build" $?
  scripts/ci embed >"$work/said" 2>&1; ok "embed" $?
  for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import numpy, venv, ensurepip' 2>/dev/null && break
  done
  if [ "$python" = none ]; then skip "python" "there is no Python with NumPy and venv"
  else
    PYTHON=$python CI_VENV=--system-site-packages \
      CI_PIP="--no-index --no-deps" scripts/ci python >"$work/said" 2>&1
    ok "python" $?
  fi
else skip "build, embed, python" "they are long: METTLE_TESTS=all"; fi
echo "1..$number"
