#!/bin/bash
# test_strangers.sh - the kernels of bench/strangers: a few of them give plain
# C's answers in each language that this system has, and one that does not is
# told. Nothing is timed.
#
# Guards: bench/strangers/{run, texts, inputs, contenders}.lua, bench/plain.c
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "kernels as strangers write them"
mettle=${METTLE:-$PWD/build/mettle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0 failed=0
result() { # status, name
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; return; fi
  echo "not ok $n - $2"
  failed=1
}

strangers() {
  (cd "$work" && METTLE_DEVICE=host "$mettle" bench/strangers/run.lua) \
    >"$work/out" 2>&1
}

# A runner of the benchmarks, from bench/NAME.c.
runner() { # name, libraries
  cc -O1 -I. -Wno-unknown-pragmas -o "$work/build/bench/$1" "bench/$1.c" \
    "${@:2}" 2>"$work/err"
}

mkdir -p "$work/build/bench"
cp -r bench "$work/bench"
ln -s "$mettle" "$work/build/mettle"
if ! runner plain -ldl; then
  echo "ok 1 - kernels as strangers write them # SKIP there is no C compiler"
  echo "1..1"
  exit 0
fi
export CHECK=1 BESIDE=cc CXX_FLAGS="-O1 -march=native"
if ls /etc/OpenCL/vendors/pocl*.icd >/dev/null 2>&1 &&
  runner opencl -lOpenCL; then
  BESIDE=pocl,cc
fi
export KERNEL=eigen_3x3,walsh_shuffles,gemv_q4,edge_counts
strangers
result $? "answers are plain C's, with $BESIDE"
for kernel in ${KERNEL//,/ }; do
  grep -q "^$kernel: ok$" "$work/out"; result $? "$kernel"
done
sed 's/^/# /' "$work/out"

# Plain C counts each edge twice: the others' answers are told to be wrong.
sed -i.bak 's/__atomic_fetch_add(p, v,/__atomic_fetch_add(p, 2 * (v),/' \
  "$work/bench/strangers/language/c.h"
KERNEL=edge_counts BESIDE=cc
strangers
[ $? = 1 ] && grep -q '^edge_counts: wrong$' "$work/out"
result $? "a wrong answer is told, by the exit status too"

# Each kernel has a name of its own, a comment, and a text in every language.
cat >"$work/all.lua" <<'LUA'
local texts = dofile "bench/strangers/texts.lua"
local seen, count = {}, 0
for _, kernel in ipairs(texts.kernels("", "")) do
  local name = kernel.name
  assert(not seen[name], name .. " stands there twice")
  assert(kernel.text:find "^// %u", name .. " has no comment")
  for _, language in ipairs { "metal", "opencl", "cuda", "c" } do
    local text = texts.of(kernel, language)
    assert(text:find("KERNEL(" .. name .. ",", 1, true), name .. language)
  end
  local text = texts.of(kernel, "c")
  assert(text:find(name .. "(p0,", 1, true), name .. " is not called")
  seen[name], count = true, count + 1
end
assert(count >= 60 and #texts.families >= 10)
LUA
"$mettle" "$work/all.lua" 2>"$work/err"
result $? "each kernel has its own name, a comment, and a text in every language"
sed 's/^/# /' "$work/err"
echo "1..$n"
[ $failed = 0 ]
