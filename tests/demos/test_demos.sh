#!/bin/bash
# test_demos.sh - every demonstration runs, short, step by step, with all that
# it claims; one of them with its usual sizes and as a plain script.
#
# Guards: demos/: every step of every demonstration runs, and what it claims is
# so
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

"$mettle" -e "dofile('tests/quick.lua').keep()" >/dev/null 2>&1
here=$PWD
cd "$work" || exit 1 # a demonstration leaves no files
for demo in "$here"/demos/*.lua; do
  name=$(basename "$demo" .lua)
  "$mettle" present --all --quick "$demo" >out 2>err </dev/null
  result $? "$name: every step runs, and what it claims is so"
  grep -qE '^ *(play|step)[ ({"]' "$demo" && grep -q '^--: ' "$demo"
  result $? "$name has a picture or a stepper, and notes"
  grep -qE '^1/[0-9]+ ' out && [ "$(wc -l <out)" -gt 40 ]
  result $? "$name shows its code and what comes of it"
done
[ "$n" -ge 9 ]; result $? "there are three of them"

"$LIMIT" 100 "$mettle" present "$here/demos/five-minutes.lua" >out 2>err </dev/null
result $? "five-minutes with its usual sizes"
# all but the picture, which takes a terminal
sed '/^play/d' "$here/demos/five-minutes.lua" >plain.lua
# (its check finds what it is to find, and the script ends with that)
"$LIMIT" 100 "$mettle" plain.lua >out 2>err </dev/null
[ $? = 1 ] && grep -q "min .* max .* mean" out && grep -q "3 findings" err
result $? "and as any other script"

rm -f out err plain.lua
[ -z "$(ls -A)" ]; result $? "nothing is left behind"
echo "1..$n"
