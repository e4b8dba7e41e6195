#!/bin/bash
# test_signatures.sh - a kernel's parameters are the same on the host and on
# Metal (tests/metal/signatures.lua), whatever Metal leaves open: the order of
# its bindings, how it shows an atomic, whether it lists what a kernel does not
# use.
#
# Guards: devices/metal/parameters.cpp, msl/reader/signatures.c,
# msl/reader/macros.c: random kernels (macros, templates with host_name,
# attributes and indices in any order) have the same parameters on the host and
# on Metal, also with shuffled bindings and atomics as structs; what hides their
# order is refused
standin=$(dirname "$METTLE")/standin
count=0
if [ ! -x "$standin/mettle" ]; then
  echo "ok 1 - signatures on both devices # SKIP the stand-in is built on Linux, with LLVM and metal-cpp"
  echo "1..1"
  exit 0
fi

# with WHAT SEED SOURCES VARIABLE: all pass, and Metal would refuse nothing
with() {
  local said got
  count=$((count + 1))
  said=$(env "$4" "$LIMIT" 100 "$standin/mettle" tests/metal/signatures.lua \
    "$2" "$3" 2>&1 </dev/null)
  got=$?
  if [ $got = 0 ] && grep -q '^1\.\.' <<<"$said" && ! grep -qE '^not ok|PROBLEM' <<<"$said"; then echo "ok $count - signatures: $1"
  else echo "not ok $count - signatures: $1 (status $got)"; grep -E -A 12 '^not ok|PROBLEM' <<<"$said" | cut -c 1-400 | head -30 | sed 's/^/# /'; fi
}

with "the same on both devices" 1 14 STANDIN=1
with "with bindings in another order, and one that is no argument" 2 8 STANDIN_SHUFFLED=1
with "with atomics as structs" 3 8 STANDIN_ATOMICS=1
with "with what is not used left out" 4 0 STANDIN_LEAVES_OUT=1
echo "1..$count"
