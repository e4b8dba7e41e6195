#!/bin/bash
# test_lint.sh - every lesson of the course is whole and true: the linter tries
# all that it claims (lua/lint/lint.lua), on the host device. All of it, with
# its answers and challenges, for every sixth lesson, puzzle and capstone; the
# words and the code in the text for another sixth. test_answers.lua has
# the solutions of all, test_learner.sh walks through some. Where there is the
# stand-in for macOS two lessons on the Metal device, too, without what the
# checker finds, which is the same; and three on the cuda device, over the
# stand-in for NVIDIA's driver, which is slow. METTLE_TESTS=all tries all
# everywhere. Two at a time; each is a result.
#
# Guards: lessons with their challenges, puzzles and capstones: all that it
# claims is tried by `mettle lesson check`, unusual right answers and what its
# demonstrations must show (`expect`) among it, of every sixth one; text and
# code of as many again and more (METTLE_LINT=text); on the stand-in for macOS
# of some, on CUDA's of three, what another device could change in it
# (METTLE_LINT=device). METTLE_TESTS=all: all of them; lua/lint/{answers,
# blocks, data, expect, lint, text}.lua, lua/session/sandbox.lua
set -u
METTLE=${METTLE:-$PWD/build/mettle}
export METTLE
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_kernels "lessons are whole"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0 failed=0
# lint PROGRAM COURSE SUFFIX: the course with this program, which must not be
# empty; Metal's stand-in names what Metal would refuse with the word PROBLEM
lint() {
  local before=$count
  printf '%s\n' "$2"/[0-9]*/ | PROGRAM=$1 xargs -P 2 -I {} sh -c '
    name=$(basename "$1") n=${name%%-*}
    case ${METTLE_TESTS:-}${METTLE_LINT:-}:$((${n#0} % 6)) in
      :[2-5]) METTLE_LINT=text; export METTLE_LINT ;;
    esac
    "$PROGRAM" lesson check "$1" --time-limit ${SECONDS_EACH:-60} >"$2/$name" 2>&1 || : >"$2/$name.failed"' sh {} "$work"
  for folder in "$2"/[0-9]*/; do
    name=$(basename "$folder")
    count=$((count + 1))
    if [ -s "$work/$name" ] && [ ! -e "$work/$name.failed" ] &&
      ! grep -q PROBLEM "$work/$name"; then
      echo "ok $count - $name$3"
    else
      failed=$((failed + 1))
      echo "not ok $count - $name$3"
    fi
    sed 's/^/# /' "$work/$name"
    rm -f "$work/$name" "$work/$name.failed"
  done
  if [ "$count" = "$before" ]; then
    failed=$((failed + 1))
    echo "# no lessons in $2$3"
  fi
}

# course FOLDER EVERY REST…: a copy of that folder's lessons whose number leaves
# one of these rests; of all with METTLE_TESTS=all
course() {
  local from=$1 every=$2 folder n
  shift 2
  rm -rf "$work/course" && mkdir "$work/course"
  for folder in "$from"/[0-9]*/; do
    n=$(basename "$folder") n=${n%%-*} n=$((10#$n % every))
    if [ "${METTLE_TESTS:-}" = all ] || [[ " $* " == *" $n "* ]]; then
      cp -r "${folder%/}" "$work/course"
    fi
  done
}

course lessons 6 1 4; lint "$METTLE" "$work/course" ""
course lessons/puzzles 6 1 4
lint "$METTLE" "$work/course" ", of puzzles"
course lessons/capstones 6 1
lint "$METTLE" "$work/course" ", of capstones"
standin=$(dirname "$METTLE")/standin/mettle
if [ -x "$standin" ]; then
  course lessons 15 6
  rm -rf "$work"/course/*/right
  export METTLE_LINT=device
  lint "$standin" "$work/course" ", through the Metal device"
  [ "${METTLE_TESTS:-}" != all ] || lint "$standin" lessons/puzzles ", of puzzles, through the Metal device"
fi
driver=$(dirname "$METTLE")/tests/cuda/libcuda.so.1
if [ -e "$driver" ]; then
  rm -rf "$work/course" && mkdir "$work/course"
  for folder in lessons/[0-9]*; do
    case ${METTLE_TESTS:-}:$folder in
      all:*|*-guards|*-compiler-errors|*-barriers-and-races)
        cp -r "$folder" "$work/course" && rm -rf "$work/course/${folder##*/}/right"
        ;;
    esac
  done
  export METTLE_LINT=device METTLE_DEVICE=cuda METTLE_CUDA_DRIVER=$PWD/$driver \
    SECONDS_EACH=600
  case $driver in /*) METTLE_CUDA_DRIVER=$driver ;; esac
  lint "$METTLE" "$work/course" ", through the cuda device"
  [ "${METTLE_TESTS:-}" != all ] || lint "$METTLE" lessons/puzzles ", of puzzles, through the cuda device"
fi
echo "1..$count"
[ "$failed" = 0 ]
