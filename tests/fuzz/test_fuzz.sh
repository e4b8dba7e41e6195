#!/bin/bash
# test_fuzz.sh - some seconds of the reader's fuzzer: no crash, no hang, no
# report of a sanitizer. The texts are the same in every run, so that what
# failed once fails again; new ones are for make fuzz. Once is enough: the
# sanitized builds leave it out. It is not optimised, unless METTLE_TESTS=all:
# so it is built in a quarter of the time, and has more to try texts in.
#
# Guards: msl/reader/*.c, msl/reader/lex.c: a quarter of a minute of libFuzzer
# with sanitizers, from the kernels of tests/msl, the same texts in every run
# (new ones: make fuzz)
case $METTLE in
  */build/mettle) ;;
  *) echo "ok 1 - the reader's fuzzer # SKIP runs with the plain build"; echo "1..1"; exit 0 ;;
esac
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "the reader's fuzzer" # its Clang comes with LLVM
flags="-O0 -gline-tables-only" seconds=3
[ "${METTLE_TESTS:-}" != all ] || flags="-O1 -g" seconds=3
if ! make -s fuzz FUZZ_OUT="$HOME/fuzz" FUZZ_SEED=1 FUZZ_FLAGS="$flags" \
  FUZZ_SECONDS="${FUZZ_SECONDS:-$seconds}" >"$HOME/fuzz.log" 2>&1; then
  if grep -qE "libclang_rt.fuzzer|unsupported option '-fsanitize=fuzzer'" "$HOME/fuzz.log"; then
    echo "ok 1 - the reader's fuzzer # SKIP this Clang comes without its fuzzer"
  else
    echo "not ok 1 - the reader's fuzzer"
    for found in "$HOME"/fuzz/{crash,timeout,oom}-*; do
      [ ! -f "$found" ] || echo "# the text that did it, in base64: $(base64 <"$found" | tr -d '\n')"
    done
    sed -n '/ERROR: /,/^SUMMARY/p' "$HOME/fuzz.log" | head -n 10 | sed 's/^/# /'
  fi
else
  echo "ok 1 - the reader's fuzzer ($(grep -o 'Done [0-9]* runs' "$HOME/fuzz.log"))"
fi
echo "1..1"
