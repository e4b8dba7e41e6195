#!/bin/bash
# test_demos.sh - every demonstration runs, in its fast mode and as a speaker
# runs it, and fails when what it tells is not so.
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "demonstrations"
mettle=${METTLE:-$PWD/build/mettle}
n=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

result() { # result STATUS NAME
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"; tail -n 30 "$work/out" "$work/err" | sed 's/^/# /'
  fi
}

here=$PWD
cd "$work" || exit 1 # a demonstration leaves nothing behind
for demo in "$here"/demos/*.lua; do
  name=$(basename "$demo" .lua)
  [ "$name" = present ] && continue
  "$mettle" "$demo" fast >out 2>err
  result $? "$name runs"
  grep -q "mettle> " out && [ "$(wc -l <out)" -gt 40 ]
  result $? "$name shows what is typed and what comes of it"
done
[ "$n" -ge 6 ]; result $? "there are three of them"

# As a speaker runs it: Enter at every step, and the usual sizes.
yes "" | "$LIMIT" 100 "$mettle" "$here/demos/five-minutes.lua" >out 2>err
result $? "five-minutes with Enter at each step"
"$LIMIT" 100 "$mettle" "$here/demos/five-minutes.lua" </dev/null >out 2>err
result $? "and when there is nobody to press it"

cat >lie.lua <<'LUA'
local demo = require "demos.present"
demo.types "x = 1"
demo.sure "x == 2"
LUA
if "$mettle" lie.lua fast >out 2>err; then status=1; else status=0; fi
grep -q "what was said is not so: x == 2" err || status=1
result $status "a demonstration that tells what is not so fails"
cat >lie.lua <<'LUA'
local demo = require "demos.present"
demo.fails "x = 1"
LUA
if "$mettle" lie.lua fast >out 2>err; then status=1; else status=0; fi
grep -q "this should have failed" err || status=1
result $status "and one whose mistake is none"

rm -f out err lie.lua
[ -z "$(ls -A)" ]; result $? "nothing is left behind"
echo "1..$n"
