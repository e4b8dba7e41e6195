#!/bin/bash
# test_dock.sh - window/module/dock.c as a Mac has it, over a runtime of
# Objective-C that is played: the program has an icon in the Dock while a window
# is open, and none after it, and nothing happens without AppKit.
#
# Guards: window/module/dock.c over an Objective-C runtime that is played: an
# icon while a window is open; that window/module/sdl.c asks for both
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said"
  fi
}
cat >"$work/played.c" <<'C'
#include <stdio.h>
#include "window/module/dock.h"
static int appkit;
void *objc_lookUpClass(const char *name) {
  printf("class %s\n", name);
  return appkit ? &appkit : NULL;
}
void *sel_registerName(const char *name) { return (void *)name; }
void *objc_msgSend(void *to, void *selector, long value) {
  if (*(char *)selector != 's' || ((char *)selector)[1] != 'e') value = -1;
  printf("%s %s %ld\n", to == &appkit ? "class" : "app", (char *)selector,
         value);
  return (char *)&appkit + 1;
}
int main(void) {
  mt_window_dock(true);
  appkit = 1;
  mt_window_dock(true);
  mt_window_dock(false);
}
C
"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -D__APPLE__ -I. -c \
  -o "$work/dock.o" window/module/dock.c >"$work/said" 2>&1 &&
  "${CC:-cc}" -std=gnu11 -w -I. -o "$work/played" "$work/played.c" \
    "$work/dock.o" >>"$work/said" 2>&1
ok "it compiles as on a Mac" $?
"$work/played" >"$work/said" 2>&1
[ "$(cat "$work/said")" = "class NSApplication
class NSApplication
class sharedApplication -1
app setActivationPolicy: 0
class NSApplication
class sharedApplication -1
app setActivationPolicy: 1" ]; ok "an icon with a window, none after it" $?
for shown in true false; do
  grep -q "mt_window_dock($shown)" window/module/sdl.c
  ok "sdl.c says $shown" $?
done
echo "1..$number"
