#!/bin/bash
# test_capstones.sh - a learner goes through a capstone on a pseudo-terminal:
# every step is read, each task's start fails, a wrong answer fails with a
# sentence, the solution passes, and the capstone is passed at its end. The last
# one in make test, all of them with METTLE_TESTS=all; the linter tries every
# one (test_lint.sh).
#
# Guards: lessons/capstones: a scripted learner through a capstone's steps and
# tasks on a pseudo-terminal; one in make test, all with METTLE_TESTS=all;
# CAPSTONE=02 chooses one
set -u
PTY_DEADLINE=${PTY_DEADLINE:-120}
# shellcheck source=tests/lessons/learner.sh
. "$(dirname "$0")/learner.sh"
learner "a learner with a capstone"


# task FOLDER STEM: at its step; start, a wrong answer, the solution
solve() {
  local folder=$1 stem=$2 extension=metal file wrong
  [ -f "$folder/start.lua" ] && extension=lua
  file=$stem.$extension
  [ -f "$file" ] || { echo "# there is no $file"; return 1; }
  cmp -s "$file" "$folder/start.$extension" || { echo "# $file is not the start"; return 1; }
  say "check()" "hint\\(\\) helps" || return 1
  wrong=$(printf '%s\n' "$folder"/wrong/*."$extension" | head -n 1)
  cp "$wrong" "$file"
  say "check()" "hint\\(\\) helps" || return 1
  cp "$folder/solution.$extension" "$file"
  say "check()" "^✓ "
}

# walk FOLDER: true if a learner can go through it
walk() {
  local folder=$1 name number steps step tasks i n=0
  name=$(basename "$folder")
  number=$((10#${name%%-*}))
  steps=$(grep -c '^## ' "$folder/capstone.md")
  tasks=$(sed -n 's/^    { name = "\([a-z-]*\)".*/\1/p' "$folder/capstone.lua")
  say "capstone($number)" " 1 of $steps · " || return 1
  for ((i = 2; i <= steps; i++)); do
    say "next()" " $i of $steps · " || return 1
    step=$(grep '^## ' "$folder/capstone.md" | sed -n "${i}p")
    case $step in "## Your turn"*) ;; *) continue ;; esac
    n=$((n + 1))
    solve "$folder/$(sed -n "${n}p" <<<"$tasks")" "capstone-$name-$n-$(sed -n "${n}p" <<<"$tasks")" || return 1
  done
  [ "$n" -ge 4 ] || { echo "# $n tasks"; return 1; }
  say "capstone()" "✓ +$number "
}

SIZE="-x 80 -y 45" open
capstones=0
for folder in "$top"/lessons/capstones/[0-9]*/; do
  folder=${folder%/}
  capstones=$((capstones + 1))
  case ${METTLE_TESTS:-}:$folder in
    all:*|*/"${CAPSTONE:-04}"-*) check "through capstone $(basename "$folder")" walk "$folder" ;;
  esac
done
check "there are four capstones" [ "$capstones" -ge 4 ]
finish
