#!/bin/bash
# test_lint.sh - every lesson of the course is whole and true: the linter tries
# all that it claims (lua/lesson_lint.lua), on the host device and, where there is the
# stand-in for macOS, on the Metal device. Two at a time; each is a result.
set -u
METTLE=${METTLE:-$PWD/build/mettle}
export METTLE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0 failed=0
# lint PROGRAM SUFFIX: the course with this program; Metal's stand-in names what
# Metal would refuse with the word PROBLEM
lint() {
  # shellcheck disable=SC2016
  printf '%s\n' lessons/[0-9]*/ | PROGRAM=$1 xargs -P 2 -I {} sh -c '
    name=$(basename "$1")
    "$PROGRAM" lesson check "$1" >"$2/$name" 2>&1 || : >"$2/$name.failed"' sh {} "$work"
  for folder in lessons/[0-9]*/; do
    name=$(basename "$folder")
    count=$((count + 1))
    if [ -s "$work/$name" ] && [ ! -e "$work/$name.failed" ] && ! grep -q PROBLEM "$work/$name"; then
      echo "ok $count - $name$2"
    else
      failed=$((failed + 1))
      echo "not ok $count - $name$2"
    fi
    sed 's/^/# /' "$work/$name"
    rm -f "$work/$name" "$work/$name.failed"
  done
}

lint "$METTLE" ""
standin=$(dirname "$METTLE")/standin/mettle
[ ! -x "$standin" ] || lint "$standin" ", through the Metal device"
echo "1..$count"
[ "$failed" = 0 ] && [ "$count" -ge 22 ]
