#!/bin/bash
# test_lint.sh - every lesson of the course is whole and true: the linter tries
# all that it claims (lua/lesson_lint.lua).
set -u
METTLE=${METTLE:-$PWD/build/mettle}
count=0 failed=0
for folder in lessons/[0-9]*/; do
  count=$((count + 1))
  if said=$("$METTLE" lesson check "$folder" 2>&1); then
    echo "ok $count - ${folder%/}"
  else
    failed=$((failed + 1))
    echo "not ok $count - ${folder%/}"
  fi
  printf '%s\n' "$said" | sed 's/^/# /'
done
echo "1..$count"
[ "$failed" = 0 ] && [ "$count" -ge 5 ]
