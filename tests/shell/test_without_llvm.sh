#!/bin/bash
# test_without_llvm.sh - the Lua suites in a build without LLVM (LLVM=none):
# each ends well, with what needs kernels left out by name. Suites that start
# many programs only with METTLE_TESTS=all.
#
# Guards: every Lua suite ends well in a build without LLVM: what needs kernels
# is left out by name
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the suites without LLVM"
if [ "$(uname -s)" = Darwin ]; then
  echo "ok 1 - the suites without LLVM # SKIP a Mac's GPU runs them"; echo "1..1"; exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
build=$(dirname "$METTLE")
cp "$METTLE" "$work/"
for module in blas pictures window; do
  [ ! -f "$build/$module.so" ] || cp "$build/$module.so" "$work/"
done
many=" test_glossary test_help test_kernels test_lesson test_report test_say test_why "
number=0
# sentence WHAT COMMAND…: it fails with one sentence, and the command that adds
# LLVM
sentence() {
  local what=$1; shift
  number=$((number + 1))
  if ! "$LIMIT" 60 "$@" >"$work/out" 2>"$work/err" </dev/null &&
    [ "$(wc -l <"$work/err")" -eq 1 ] &&
     grep -q "needs LLVM (.*Homebrew's llvm): .*; run 'make run' where" "$work/err"; then echo "ok $number - $what: one sentence"
  else echo "not ok $number - $what: one sentence"; sed 's/^/# /' "$work/err"; fi
}
one='kernel void one(device float *a) { a[0] = 1; }'
echo "$one" >"$work/one.metal"
sentence "a kernel" "$work/mettle" -e "k = gpu.kernel '$one'"
sentence "check of the library" "$work/mettle" -e "check 'saxpy'"
sentence "profile of the library" "$work/mettle" -e "profile 'saxpy'"
sentence "mettle check" "$work/mettle" check "$work/one.metal" --grid 1 --arg \
  a='float[1]'
sentence "mettle compile" "$work/mettle" compile "$work/one.metal"
for suite in tests/lua/test_*.lua tests/lua/*/test_*.lua; do
  name=$(basename "$suite" .lua)
  [ "${METTLE_TESTS:-}" = all ] || [[ "$many" != *" $name "* ]] || continue
  if head -5 "$suite" | grep -q "of no device"; then continue; fi
  number=$((number + 1))
  METTLE=$work/mettle "$LIMIT" 300 "$work/mettle" "$suite" >"$work/out" \
    2>"$work/err" </dev/null
  status=$?
  if [ $status = 0 ] && grep -qE '^1\.\.[1-9]' "$work/out"; then echo "ok $number - $name, $(grep -c '# SKIP' "$work/out") left out"
  else
    echo "not ok $number - $name (status $status)"
    { grep -A 5 '^not ok' "$work/out"; tail -n 5 "$work/err"; } | sed 's/^/# /'
  fi
done
echo "1..$number"
