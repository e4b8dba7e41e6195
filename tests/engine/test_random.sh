#!/bin/bash
# Random kernels give the same answers as vectors and thread by thread.
# RANDOM_SEED=n RANDOM_COUNT=n choose others than the few that every run takes.
set -u
seed=${RANDOM_SEED:-1} count=${RANDOM_COUNT:-24}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for engine in simd scalar; do
  METTLE_ENGINE=$engine "$METTLE" "$here/random.lua" "$seed" "$count" \
    >"$work/$engine" 2>"$work/$engine.err" || tail -n 3 "$work/$engine.err" >&2
done
echo "1..$count"
for ((i = 1; i <= count; i++)); do
  a=$(sed -n "${i}p" "$work/simd") b=$(sed -n "${i}p" "$work/scalar")
  if [ -n "$a" ] && [ "$a" = "$b" ]; then
    echo "ok $i - ${a%:*}"
  else
    echo "not ok $i - seed $((seed + i - 1)): vectors '$a', thread by thread '$b'"
  fi
done
