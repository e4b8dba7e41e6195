#!/bin/bash
# Rooms of devices/ use only what devices/rooms.txt lets them (scripts/rooms),
# and the check sees each kind of mistake when it is put into a copy.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
build=${build:-build}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/said"
  fi
}

scripts/rooms "$build" >"$work/said" 2>&1; ok "the rooms are as the table says" $?

# A copy with a mistake in it, and what is to be said of it.
copy=$work/copy whole=$work/whole
mkdir -p "$whole/docs"
cp -R base cpu devices lua msl repl "$whole" &&
  cp docs/architecture.md "$whole/docs"
fresh() { rm -rf "$copy"; cp -R "$whole" "$copy"; }
sees() { # name, pattern
  ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1
  if [ $? = 1 ] && grep -q "$2" "$work/said"; then ok "$1" 0; else ok "$1" 1; fi
}
fresh
[ -f "$copy/devices/rooms.txt" ] && ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1; ok "a copy without mistakes is right" $?

echo 'further: compiler/ir' >>"$copy/devices/rooms.txt"
mkdir "$copy/devices/further"
echo '#include "devices/compiler/ir/ir.h"' >"$copy/devices/further/further.c"
echo '`further.c`: the device' >"$copy/devices/further/README.md"
sees "a further device that the page does not show" 'docs/architecture.md: does not show devices/rooms.txt as it is'
echo '`further`' >>"$copy/devices/README.md"
awk '{ print } /^metal:$/ { print "further: compiler/ir" }' docs/architecture.md >"$copy/docs/architecture.md"
ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1; ok "and one that it shows" $?

fresh

echo '#include "devices/host/check/check.h"' >>"$copy/devices/compiler/prepare/prepare.c"
sees "an include upwards" 'prepare.c:[0-9]*: includes devices/host/check/check.h, but compiler/prepare may not use host/check'

fresh
printf '  #  include <devices/host/check/check.h>\n' >>"$copy/devices/compiler/prepare/prepare.c"
sees "an include that is written in another way" 'prepare.c:[0-9]*: includes devices/host/check/check.h, but compiler/prepare may not use host/check'

fresh
echo '#include "../../host/check/check.h"' >>"$copy/devices/compiler/prepare/prepare.c"
sees "an include by a relative path" 'includes ../../host/check/check.h, which is no path from the root'

fresh
echo '#include "check.h"' >>"$copy/devices/compiler/prepare/prepare.c"
sees "an include without a path" 'includes check.h, which is no path from the root'

fresh
echo '#include "devices/compiler/ir/pointer.h"' >>"$copy/devices/host/vectorise/atomics.c"
sees "another header than the public one" 'includes devices/compiler/ir/pointer.h, but the public header of compiler/ir is ir.h'

fresh
rm "$copy/devices/host/analyse/analyse.h"
sees "a room without a public header" 'devices/host/analyse: has no public header analyse.h'

fresh
echo '#include "devices/host/run/run.h"' >>"$copy/devices/host/memory.c"
sees "a circle of the host device and a room" 'memory.c:[0-9]*: includes devices/host/run/run.h, but host may not use host/run'

fresh
echo '#include "devices/host/kernel/kernel.h"' >>"$copy/devices/launch.c"
sees "the check of launches and a room" 'launch.c:[0-9]*: includes devices/host/kernel/kernel.h, but devices may not use host/kernel'

fresh
echo '#include "devices/device.h"' >>"$copy/base/pool.c"
sees "base/ and a device" 'pool.c:[0-9]*: includes devices/device.h, but base/ may not use devices'

fresh
echo '#include <llvm-c/Core.h>' >>"$copy/lua/gpu.c"
sees "LLVM outside of the compiler" 'gpu.c:[0-9]*: includes llvm-c/Core.h, but lua/ may not use llvm-c'

fresh
echo '#include <lua.h>' >>"$copy/devices/device.c"
sees "Lua in a device" 'device.c:[0-9]*: includes lua.h, but devices/ may not use lua.h'

fresh
echo '#include "lua/api.h"' >>"$copy/devices/host/run/dispatch.c"
sees "an include of lua/" 'may not use lua'

fresh
echo '#include "devices/host/host.h"' >>"$copy/devices/cuda/ptx/ptx.c"
sees "the cuda device and the host's rooms" 'ptx.c:[0-9]*: includes devices/host/host.h, but cuda may not use host'

fresh
echo '#include "devices/compiler/ir/call.h"' >>"$copy/devices/metal/program.cpp"
sees "the metal device and the compiler" 'program.cpp:[0-9]*: includes devices/compiler/ir/call.h, but metal may not use compiler/ir'

fresh
mkdir -p "$copy/devices/attic"; echo '#include "base/str.h"' >"$copy/devices/attic/attic.c"
sees "a device that is no room" 'attic.c: is in no room'

fresh
echo '#include "msl/module.h"' >>"$copy/msl/reader/lex.c"
sees "the reader and a compilation's state" 'lex.c:[0-9]*: includes msl/module.h, but msl/reader may not use it'

fresh
echo '#include "msl/module.h"' >>"$copy/devices/host/run/dispatch.c"
sees "a room and a compilation's state" 'dispatch.c:[0-9]*: includes msl/module.h, which is for msl/ alone'

fresh
echo '#include "devices/device.h"' >>"$copy/msl/passes/storage.c"
sees "the front end and a device" 'storage.c:[0-9]*: includes devices/device.h, but msl/passes may not use it'

fresh
awk '/^compiler\/ir:/ { print "compiler/ir: host/kernel"; next } { print }' "$here/devices/rooms.txt" >"$copy/devices/rooms.txt"
sees "a circle in the table" 'compiler/ir is part of a circle'
! grep -q 'host/module is part' "$work/said"
ok "and not a room that only uses one of it" $?

fresh
echo 'typedef struct Bare { int x; } Bare;' >>"$copy/devices/host/run/dispatch.h"
sees "a type without prefix" 'the type Bare has no prefix'
bare() { # text, what is said of it
  fresh; printf '%s\n' "$1" >>"$copy/devices/host/run/dispatch.h"
  sees "without prefix: ${1//$'\n'/ }" "$2"
}
bare 'struct Bare { int x; };' 'the type Bare has no prefix'
bare 'typedef unsigned Bare;' 'the type Bare has no prefix'
bare 'typedef struct mt_Bare *Bare;' 'the type Bare has no prefix'
bare 'typedef int (*Bare)(void *);' 'the type Bare has no prefix'
bare '#define BARE 1' 'the macro BARE has no prefix'
bare 'typedef struct { int x; } Bare;' 'the type Bare has no prefix'
bare 'typedef struct mt_Bare
{ int x; } Bare;' 'the type Bare has no prefix'
bare '  typedef int Bare;' 'the type Bare has no prefix'
bare 'typedef int Bare(void *);' 'the type Bare has no prefix'
bare 'enum mt_Bare
{ MT_DRESSED, BARE };' 'the constant BARE has no prefix'
bare 'int bare(int (*f)(void));' 'the function bare has no prefix'
bare 'static inline int bare(void) { { } return 1; }' \
  'the function bare has no prefix'
bare 'int (*bare(int x))[3];' 'the function bare has no prefix'
bare 'extern __attribute__((aligned(8))) int bare[2];' \
  'the variable bare has no prefix'
bare '#define MT_CLOCK_H' 'the macro MT_CLOCK_H is defined in base/clock.h too'
bare 'struct mt_Error { int x; };' \
  'the type mt_Error is defined in base/status.h too'
fresh
cat >>"$copy/devices/host/run/dispatch.h" <<'END'
extern "C" {
typedef struct mt_Dressed { int x; } mt_Dressed; /* int bare(void); */
typedef void mt_Calls(int x), *mt_Call;
struct mt_Later;
MT_PRINTF(1, 2) void mt_dressed(const char *bare, ...);
_Static_assert(sizeof(int) == 4, "bare");
enum { MT_ONE, MT_TWO = 2 };
}
END
ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1
ok "names with their prefix" $?

fresh
mkdir -p "$copy/devices/host/attic"; echo '#include "base/str.h"' >"$copy/devices/host/attic/attic.c"
sees "a folder that is no room" 'attic.c: is in no room'

fresh
for _ in 1 2 3 4; do cat "$here/devices/host/run/README.md"; done >"$copy/devices/host/run/README.md"
sees "a README of more than a screen" 'devices/host/run: its README.md is more than a screen'

fresh
echo 'int x;' >"$copy/devices/host/run/secret.c"
sees "a file that no README names" 'does not name secret.c'

fresh
echo 'int x;' >"$copy/devices/secret.c"
sees "a file outside of the rooms" 'devices/README.md: does not name secret.c'

# By symbols: an undeclared use of a room above, and a name that is there twice.
compile() { # file of the copy
  mkdir -p "$copy/build/obj/${1%/*}"
  ${CC:-cc} -c -o "$copy/build/obj/${1%.c}.o" "$copy/$1" 2>"$work/said"
}
fresh
for f in run/watchdog vector/mask; do
  printf 'int mt_rooms_%s;\n' "${f#*/}" >"$copy/devices/host/$f.c"
done
echo 'extern int mt_rooms_mask; int *mt_rooms_use(void) { return &mt_rooms_mask; }' >>"$copy/devices/host/run/watchdog.c"
compile devices/host/run/watchdog.c && compile devices/host/vector/mask.c
sees "a symbol of a room that is not allowed" 'uses .*mt_rooms_mask of .*, but host/run may not use host/vector'
echo 'int mt_rooms_watchdog = 1;' >>"$copy/devices/host/vector/mask.c"
compile devices/host/vector/mask.c
sees "a symbol that is defined twice" 'both define .*mt_rooms_watchdog'
fresh
echo 'int rooms_bare(void) { return 1; }' >"$copy/devices/host/vector/mask.c"
compile devices/host/vector/mask.c
sees "a symbol without prefix" 'mask.c defines _*rooms_bare, which has no prefix'
fresh
echo 'int mt_rooms_shared;' >"$copy/base/pool.c"
echo 'int mt_rooms_shared = 1;' >"$copy/devices/host/vector/mask.c"
compile base/pool.c && compile devices/host/vector/mask.c
sees "a symbol of two folders" 'both define .*mt_rooms_shared'
echo "1..$number"
