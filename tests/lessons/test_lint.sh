#!/bin/bash
# test_lint.sh - every lesson of the course is whole and true: the linter tries
# all that it claims (lua/lesson_lint.lua). Two at a time; each is a result.
set -u
METTLE=${METTLE:-$PWD/build/mettle}
export METTLE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2016
printf '%s\n' lessons/[0-9]*/ | xargs -P 2 -I {} sh -c '
  name=$(basename "$1")
  "$METTLE" lesson check "$1" >"$2/$name" 2>&1 || : >"$2/$name.failed"' sh {} "$work"

count=0 failed=0
for folder in lessons/[0-9]*/; do
  name=$(basename "$folder")
  count=$((count + 1))
  if [ -s "$work/$name" ] && [ ! -e "$work/$name.failed" ]; then
    echo "ok $count - $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $name"
  fi
  sed 's/^/# /' "$work/$name"
done
echo "1..$count"
[ "$failed" = 0 ] && [ "$count" -ge 22 ]
