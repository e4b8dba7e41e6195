#!/bin/bash
# test_personalities.sh - some of the Lua suites on some of the GPUs and systems
# that the stand-in can play; make personalities runs all on all. With
# METTLE_TESTS=all also some on few threads, beside fewer.
#
# Guards: some Lua suites on GPUs and systems that the stand-in plays
# (tests/metal/personalities: M1 to M5, Intel, AMD, a virtual machine's, by
# lua/reference/families.lua; bindings shuffled or left out, atomics as structs,
# pipelines that take 640 or 192 threads, late logs, macOS 13); `make
# personalities` runs all on all
build=$(dirname "$METTLE")
cd "$METTLE_DATA" || exit 1
count=0
if [ ! -x "$build/standin/mettle" ]; then
  echo "ok 1 - GPUs that are played # SKIP the stand-in is built on Linux, with LLVM and metal-cpp"
  echo "1..1"
  exit 0
fi
build=${build#"$METTLE_DATA"/}
export PERSONALITIES_CODE=$HOME/code

# on PERSONALITY SUITE [WORDS]: it passes, and says these words of it
on() {
  local said
  count=$((count + 1))
  if said=$(tests/metal/personalities "$build" "$1" "$2" 2>&1) && grep -qE "${3:-passed}" <<<"$said"; then echo "ok $count - $2 on $1:${said#*test_"$2"}"
  else echo "not ok $count - $2 on $1"; echo "# ${said//$'\n'/$'\n'# }"; fi
}

on paravirtual argument_buffers "passed, [0-9]+ this GPU cannot"
on amd texture
on amd buffer
on m5 buffer
on shuffled include
on leaves-out missing
on atomics missing
if [ "${METTLE_TESTS:-}" = all ]; then
  on few-threads texture
  on intel texture
  on few-threads threads "passed, [0-9]+ this GPU cannot"
fi
on fewer-threads kernels "passed, [0-9]+ this GPU cannot"
on late-logs buffer
on macos13 buffer
echo "1..$count"
