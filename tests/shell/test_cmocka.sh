#!/bin/bash
# test_cmocka.sh - the C suites with cmocka 2, which Homebrew has, beside
# Debian's 1.1: all of them compile with warnings as errors, as a CI's do, and
# one of them runs and is understood by the runner. scripts/deps gets it from
# its sources (build/cmocka).
#
# Guards: the C suites compile with cmocka 2 without a warning, and the runner
# understands it; skipped where its sources could not be had
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${build:-build}
# shellcheck source=tests/needs.sh
. tests/needs.sh
if [ ! -f build/cmocka/libcmocka.a ]; then
  echo "ok 1 - cmocka 2 # SKIP it could not be had (scripts/deps downloads)"
  echo "1..1"; exit 0
fi
needs_llvm "cmocka 2"
work=$(mktemp -d) alone=$build/tests/cmocka.$$
trap 'rm -rf "$work" "$alone"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"; grep -E 'error|ok' "$work/said" | head -20 |
      sed 's/^/# /'
  fi
}
# value NAME: of the configuration
value() { sed -n "s/^$1 := //p" build/config.mk; }
eval "flags=($(value LUA_CFLAGS) $(value LLVM_CFLAGS) $(value CJSON_CFLAGS) \
  $(value ZMQ_CFLAGS))"
# shellcheck disable=SC2154  # eval's
set -- -I. -isystem build/cmocka "${flags[@]}" -std=gnu11 -pthread -fPIC \
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror
suites() {
  for f in tests/c/*/test_*.c tests/c/*/*/test_*.c; do
    case $f in
      */test_cuda_*|*/test_out_of_memory.c)
        [ "$(uname -s)" = Linux ] || continue ;;
      */test_notebook.c) [ -n "$(value ZMQ_LIBS)" ] || continue ;;
    esac
    printf '%s\0' "$f"
  done
}
suites | xargs -0 -n 8 -P 2 "${CC:-cc}" "$@" -fsyntax-only >"$work/said" 2>&1
ok "the suites compile with cmocka 2, and no warning" $?

cat >"$work/one.c" <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
static void passes(void **state) { (void)state; assert_int_equal(1, 1); }
static void skips(void **state) { (void)state; skip(); }
static void fails(void **state) { (void)state; assert_int_equal(1, 2); }
static void old(void **state) { (void)state; assert_in_range(1, 0, 2); }
int main(int argc, char **argv) {
  (void)argv;
  const struct CMUnitTest good[] = {cmocka_unit_test(passes),
                                    cmocka_unit_test(skips)};
  const struct CMUnitTest bad[] = {cmocka_unit_test(fails),
                                   cmocka_unit_test(old)};
  return argc > 1 ? cmocka_run_group_tests(bad, NULL, NULL)
                  : cmocka_run_group_tests(good, NULL, NULL);
}
C
! "${CC:-cc}" "$@" -fsyntax-only "$work/one.c" >"$work/said" 2>&1 &&
  grep -q 'deprecated' "$work/said"
ok "what it deprecates is an error" $?
"${CC:-cc}" -isystem build/cmocka -w -o "$work/one" "$work/one.c" \
  build/cmocka/libcmocka.a >"$work/said" 2>&1
ok "a suite is linked with it" $?

# the runner's words for it, from a folder that has this suite alone
said_of() { # said_of WORDS…: the runner's last line
  rm -rf "$alone"; mkdir -p "$alone/tests"
  ln -s "$PWD/$build/mettle" "$alone/mettle"
  ln -s "$LIMIT" "$alone/tests/limit"
  printf '#!/bin/sh\nexec "%s" %s\n' "$work/one" "$*" \
    >"$alone/tests/test_of_cmocka"
  chmod +x "$alone/tests/test_of_cmocka"
  bash tests/run "$alone" c-test_of_cmocka >"$work/said" 2>&1
  tail -n 1 "$work/said"
}
[ "$(said_of)" = "1 passed, 0 failed, 1 skipped" ]
ok "its passes and skips are counted" $?
[ "$(said_of bad)" = "1 passed, 1 failed" ]; ok "and its failures" $?
echo "1..$number"
