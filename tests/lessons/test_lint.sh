#!/bin/bash
# test_lint.sh - every lesson of the course is whole and true: the linter tries
# all that it claims (lua/lesson/lint.lua), on the host device, the other right
# answers for every third lesson, the challenges of the next third, and two of
# the capstones. Where there is the stand-in for macOS every sixth on the Metal
# device, too, without those answers and what the checker finds, which is the
# same; and three on the cuda device, over the stand-in for NVIDIA's driver,
# which is slow. METTLE_TESTS=all tries all everywhere. Two at a time; each is a
# result.
set -u
METTLE=${METTLE:-$PWD/build/mettle}
export METTLE
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_kernels "lessons are whole"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0 failed=0
# lint PROGRAM COURSE SUFFIX: the course with this program; Metal's stand-in
# names what Metal would refuse with the word PROBLEM
lint() {
  printf '%s\n' "$2"/[0-9]*/ | PROGRAM=$1 xargs -P 2 -I {} sh -c '
    name=$(basename "$1") n=${name%%-*}
    case ${METTLE_TESTS:-}${METTLE_LINT:-}:$((${n#0} % 3)) in
      :0|:2) METTLE_LINT=lesson; export METTLE_LINT ;;
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
}

# course EVERY PART: a copy of the course in which only every such lesson keeps
# PART, or is there at all if that is a dot; a whole one with METTLE_TESTS=all
course() {
  local folder n=0
  rm -rf "$work/course" && mkdir "$work/course" &&
    cp -r lessons/[0-9]* "$work/course"
  [ "${METTLE_TESTS:-}" != all ] || return 0
  for folder in "$work"/course/*/; do
    n=$((n + 1))
    [ $((n % $1)) = 0 ] || rm -rf "${folder:?}/${2#.}"
  done
}

course 3 right
lint "$METTLE" "$work/course" ""
lint "$METTLE" lessons/puzzles ", of puzzles"
mkdir "$work/capstones" && cp -r lessons/capstones/[0-9]* "$work/capstones"
[ "${METTLE_TESTS:-}" = all ] || rm -rf "$work"/capstones/0[13]-*
lint "$METTLE" "$work/capstones" ", of capstones"
standin=$(dirname "$METTLE")/standin/mettle
if [ -x "$standin" ]; then
  course 6 .
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
[ "$failed" = 0 ] && [ "$count" -ge 22 ]
