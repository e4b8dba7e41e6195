#!/bin/bash
# Fields of structs by their names, from C and from Python: random structs of
# the model beside mettle_kernel_field and k.params[0].record, where each leaf
# lies, what a kernel wrote and what it gets. METTLE_TESTS=all tries many more.
#
# Guards: embed/fields.c, Python's records, msl/members.c: fields by their
# names, from C (tests/layout/views.c) and Python (tests/layout/views.py):
# random structs of the same model, where every scalar lies, what a kernel
# wrote, what it gets. METTLE_TESTS=all tries 40 rounds of eight,
# METTLE_LAYOUTS=n so many
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
build=${build:-build}
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "fields by their names"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"
  else echo "not ok $number - $1"; sed 's/^/# /' "$work/said" | head -n 40; fi
}
# (the cases are the host device's)
[ "$(uname -s)" != Darwin ] || export METTLE_DEVICE=host
case $(uname -s) in Darwin) suffix=dylib ;; *) suffix=so ;; esac
case $build in
  *tsan) sanitize=-fsanitize=thread ;;
  *san) sanitize=-fsanitize=address,undefined ;;
  *) sanitize='' ;;
esac
rounds=2; [ "${METTLE_TESTS:-}" != all ] || rounds=40
rounds=${METTLE_LAYOUTS:-$rounds}

"${METTLE:-$build/mettle}" tests/layout/views.lua "$work" "$rounds" \
  >"$work/said" 2>&1
ok "the structs are made" $?
# shellcheck disable=SC2086  # no flag, or one
${CC:-cc} $sanitize -std=c11 -O1 -g -Wall -Wextra -Werror -Iinclude \
  -o "$work/views" tests/layout/views.c -L"$build" -lmettle -lm \
  -Wl,-rpath,"$here/$build" >"$work/said" 2>&1
ok "the program in C compiles" $?
unset METTLE_DATA # they find their own

python=none
for one in python3 /usr/bin/python3; do
  if [ -z "$sanitize" ] && "$one" -c 'import numpy' 2>/dev/null; then
    python=$one
    break
  fi
done
export PYTHONPATH=$PWD/python METTLE_LIBRARY=$PWD/$build/libmettle.$suffix
export PYTHONDONTWRITEBYTECODE=1

for i in $(seq "$rounds"); do
  "$work/views" "$work/$i.metal" "$work/$i.txt" >"$work/said" 2>&1; status=$?
  ok "round $i, from C:$(tail -n 1 "$work/said" | tr -d '#')" $status
  [ "$python" != none ] || continue
  "$python" tests/layout/views.py "$work/$i.metal" "$work/$i.txt" \
    >"$work/said" 2>&1; status=$?
  ok "round $i, from Python:$(tail -n 1 "$work/said" | tr -d '#')" $status
done
echo "1..$number"
