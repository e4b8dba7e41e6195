#!/bin/bash
# Rooms of devices/ and lua/ use only what rooms.txt in these lets them
# (scripts/rooms), and the check sees each kind of mistake when it is put into a
# copy: many that have nothing to do with each other into the same one, each in
# its own words.
#
# Guards: devices/rooms.txt, scripts/rooms, scripts/lua_words.awk: rooms use
# only what they may; no message below lua/ speaks Lua; each kind of mistake is
# seen
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
# a mistake that was put into the copy: its name, what is to be said of it
names=() patterns=()
also() { names+=("$1") patterns+=("$2"); }
look() { # is it said of all of them?
  local i status
  ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1
  status=$?
  for ((i = 0; i < ${#names[@]}; i++)); do
    [ "$status" = 1 ] && grep -q "${patterns[i]}" "$work/said"
    ok "${names[i]}" $?
  done
  names=() patterns=()
}
sees() { also "$1" "$2"; look; }
# an include at the end of a file, how it is written, its name, what is said
includes() { echo "$2" >>"$copy/$1"; also "$3" "$4"; }
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
includes devices/compiler/prepare/prepare.c '#include "devices/host/check/check.h"' \
  "an include upwards" \
  'prepare.c:[0-9]*: includes devices/host/check/check.h, but compiler/prepare may not use host/check'
includes devices/compiler/ir/call.c '  #  include <devices/host/check/check.h>' \
  "an include that is written in another way" \
  'call.c:[0-9]*: includes devices/host/check/check.h, but compiler/ir may not use host/check'
includes devices/compiler/prepare/prepare.c '#include "../../host/check/check.h"' \
  "an include by a relative path" \
  'includes ../../host/check/check.h, which is no path from the root'
includes devices/compiler/prepare/prepare.c '#include "check.h"' \
  "an include without a path" \
  'includes check.h, which is no path from the root'
includes devices/host/emit/atomics.c '#include "devices/compiler/ir/pointer.h"' \
  "another header than the public one" \
  'includes devices/compiler/ir/pointer.h, but the public header of compiler/ir is ir.h'
includes devices/host/memory.c '#include "devices/host/run/run.h"' \
  "a circle of the host device and a room" \
  'memory.c:[0-9]*: includes devices/host/run/run.h, but host may not use host/run'
includes devices/launch.c '#include "devices/host/kernel/kernel.h"' \
  "the check of launches and a room" \
  'launch.c:[0-9]*: includes devices/host/kernel/kernel.h, but devices may not use host/kernel'
includes base/pool.c '#include "devices/device.h"' \
  "base/ and a device" \
  'pool.c:[0-9]*: includes devices/device.h, but base/ may not use devices'
includes lua/bind/gpu/gpu.c '#include <llvm-c/Core.h>' \
  "LLVM outside of the compiler" \
  'gpu.c:[0-9]*: includes llvm-c/Core.h, but lua/ may not use llvm-c'
includes devices/device.c '#include <lua.h>' \
  "Lua in a device" \
  'device.c:[0-9]*: includes lua.h, but devices/ may not use lua.h'
includes devices/host/run/dispatch.c '#include "lua/api.h"' \
  "an include of lua/" \
  'dispatch.c:[0-9]*: includes lua/api.h, but .* may not use lua'
includes devices/cuda/ptx/ptx.c '#include "devices/host/host.h"' \
  "the cuda device and the host's rooms" \
  'ptx.c:[0-9]*: includes devices/host/host.h, but cuda may not use host'
includes devices/metal/program.cpp '#include "devices/compiler/ir/call.h"' \
  "the metal device and the compiler" \
  'program.cpp:[0-9]*: includes devices/compiler/ir/call.h, but metal may not use compiler/ir'
includes msl/reader/lex.c '#include "msl/module.h"' \
  "the reader and a compilation's state" \
  'lex.c:[0-9]*: includes msl/module.h, but msl/reader may not use msl'
includes devices/host/run/dispatch.c '#include "msl/module.h"' \
  "a room and a compilation's state" \
  'dispatch.c:[0-9]*: includes msl/module.h, which is for msl/ alone'
includes msl/passes/storage.c '#include "devices/device.h"' \
  "the front end and a device" \
  'storage.c:[0-9]*: includes devices/device.h, but msl/ may not use devices'
includes base/clock.c '#include "base/files/lock.h"' \
  "an include from a folder of its own room" \
  'clock.c:[0-9]*: includes base/files/lock.h, but base may not use base/files'
includes base/process/preload/stay.c '#include "base/kernel_types/half.h"' \
  "an include of a room above, from a folder inside of one" \
  'stay.c:[0-9]*: includes .*, but base/process may not use base/kernel_types'
includes repl/line/edit.c '#include "repl/console/console.h"' \
  "the editor of a line and the console" \
  'edit.c:[0-9]*: includes .*, but repl/line may not use repl/console'
includes repl/commands/measure.c '#include "repl/options.h"' \
  "a room and the folder above all of its rooms" \
  'measure.c:[0-9]*: includes repl/options.h, but repl/commands may not use repl'
includes base/str.h '#include "base/serialise.h"' \
  "a circle of files in a room" 'base/serialise: is part of a circle of files'
mv "$copy/base/terminal" "$copy/base/attic"
also "a room of base/ that is not there" 'there is no folder base/terminal'
also "a folder of base/ that is no room" \
  'base/attic/columns.c: is in no room of base/rooms.txt'
echo 'int x;' >"$copy/repl/line/secret.c"
also "a file that repl/README.md does not name" \
  'repl/README.md: does not name line/secret.c'
rm "$copy/devices/host/analyse/analyse.h"
also "a room without a public header" 'devices/host/analyse: has no public header analyse.h'
mkdir -p "$copy/devices/attic"; echo '#include "base/str.h"' >"$copy/devices/attic/attic.c"
also "a device that is no room" 'devices/attic/attic.c: is in no room'
mkdir -p "$copy/devices/host/attic"; echo '#include "base/str.h"' >"$copy/devices/host/attic/attic.c"
also "a folder that is no room" 'devices/host/attic/attic.c: is in no room'
for _ in 1 2 3 4; do cat "$here/devices/host/run/README.md"; done >"$copy/devices/host/run/README.md"
also "a README of more than a screen" 'devices/host/run: its README.md is more than a screen'
echo 'int x;' >"$copy/devices/host/run/secret.c"
also "a file that no README names" 'does not name secret.c'
echo 'int x;' >"$copy/devices/hidden.c"
also "a file outside of the rooms" 'devices/README.md: does not name hidden.c'
look

fresh
also "a module that requires one above it" \
  'units.lua:[0-9]*: requires lua.session.show, but text may not use session'
echo 'local show = require "lua.session.show"' >>"$copy/lua/text/units.lua"
also "one that requires it when it is called" \
  'heat.lua:[0-9]*: requires lua.measure.compare, but plot may not use measure'
echo "function heat.f() return (require('lua.measure.compare')) end" >>"$copy/lua/plot/heat.lua"
also "two on one line" \
  'theme.lua:[0-9]*: requires lua.play.play, but plot may not use play'
echo 'local a, b = require "lua.text.units", require "lua.play.play"' >>"$copy/lua/plot/theme.lua"
also "a module that is not there" \
  'scale.lua:[0-9]*: requires lua.text.unit, which is no module'
echo 'local units = require "lua.text.unit"' >>"$copy/lua/plot/scale.lua"
also "and one that a command names" \
  'measure.c:[0-9]*: names lua.measure.cart, which is no module'
echo "static const char cart[] = \"require('lua.measure.cart')\";" >>"$copy/repl/commands/measure.c"
also "C that names a module in Lua" \
  'gpu.c:[0-9]*: names lua.text.units, but C asks for what is bound late'
echo 'static const char *units = "lua.text.units";' >>"$copy/lua/bind/gpu/gpu.c"
includes lua/bind/core/json.c '#include "lua/bind/gpu/kernel.h"' \
  "a binding and one above it" \
  'json.c:[0-9]*: includes lua/bind/gpu/kernel.h, but bind/core may not use bind/gpu'
includes lua/bind/gpu/launch.c '#include "lua/mettle.h"' \
  "a binding and the roof" \
  'launch.c:[0-9]*: includes lua/mettle.h, but nothing is above the roof'
mkdir "$copy/lua/attic"; echo 'return {}' >"$copy/lua/attic/attic.lua"
also "a folder of lua/ that is no room" 'lua/attic/attic.lua: is in no room of lua/rooms.txt'
echo 'return {}' >"$copy/lua/plot/hidden.lua"
also "a module that no README names" 'lua/plot/README.md: does not name hidden.lua'
rm "$copy/lua/play/README.md"
also "a room of lua/ without a README" 'lua/play: has no README.md'
for _ in 1 2 3; do cat "$here/lua/lesson/README.md"; done >"$copy/lua/lesson/README.md"
also "a README of lua/ of more than a screen" 'lua/lesson: its README.md is more than a screen'
awk 'BEGIN { for (i = 0; i < 4000; i++) print "-- a line" }' >>"$copy/lua/slips/notes.lua"
also "a room of more than 4000 lines" 'lua/slips: has [0-9]* lines, more than 4000'
sed 's/^text:$/text: reference/' "$here/lua/rooms.txt" >"$copy/lua/rooms.txt"
also "an arrow up in the table of lua/" 'lua/rooms.txt: text uses reference, which is not below it'
also "a table that the page does not show" 'docs/architecture.md: does not show lua/rooms.txt as it is'
look
fresh
echo '-- require "lua.play.play" is no use' >>"$copy/lua/text/units.lua"
ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1
ok "a comment uses nothing" $?

fresh
awk '/^compiler\/ir:/ { print "compiler/ir: host/kernel"; next } { print }' "$here/devices/rooms.txt" >"$copy/devices/rooms.txt"
sees "a circle in the table" 'compiler/ir is part of a circle'
! grep -q 'host/module is part' "$work/said"
ok "and not a room that only uses one of it" $?

fresh
bare() { # text, what is said of it
  printf '%s\n' "$1" >>"$copy/devices/host/run/dispatch.h"
  also "without prefix: ${1//$'\n'/ }" "$2"
}
bare 'typedef struct Bare1 { int x; } Bare1;' 'the type Bare1 has no prefix'
bare 'struct Bare2 { int x; };' 'the type Bare2 has no prefix'
bare 'typedef unsigned Bare3;' 'the type Bare3 has no prefix'
bare 'typedef struct mt_Bare4 *Bare4;' 'the type Bare4 has no prefix'
bare 'typedef int (*Bare5)(void *);' 'the type Bare5 has no prefix'
bare '#define BARE6 1' 'the macro BARE6 has no prefix'
bare 'typedef struct { int x; } Bare7;' 'the type Bare7 has no prefix'
bare 'typedef struct mt_Bare8
{ int x; } Bare8;' 'the type Bare8 has no prefix'
bare '  typedef int Bare9;' 'the type Bare9 has no prefix'
bare 'typedef int Bare10(void *);' 'the type Bare10 has no prefix'
bare 'enum mt_Bare11
{ MT_DRESSED, BARE11 };' 'the constant BARE11 has no prefix'
bare 'int bare12(int (*f)(void));' 'the function bare12 has no prefix'
bare 'static inline int bare13(void) { { } return 1; }' \
  'the function bare13 has no prefix'
bare 'int (*bare14(int x))[3];' 'the function bare14 has no prefix'
bare 'extern __attribute__((aligned(8))) int bare15[2];' \
  'the variable bare15 has no prefix'
bare '#define MT_CLOCK_H' 'the macro MT_CLOCK_H is defined in base/clock.h too'
bare 'struct mt_Error { int x; };' \
  'the type mt_Error is defined in base/status.h too'
look
fresh
lua() { # file, its string, what is said of it
  printf 'static const char said_%s[] =\n    "%s";\n' "${#names[@]}" "$2" \
    >>"$copy/$1"
  also "a message in Lua: $2" "${1##*/}:[0-9]*: speaks Lua: .*$3"
}
lua devices/cuda/fault.c 'see gpu.use for others' gpu.use
lua devices/metal/metal.cpp 'free some (b:free())' b:free
lua devices/host/run/dispatch.c 'check{…} finds the line' 'k{…}'
lua base/files/lock.c 'the folders of include = {…}' 'e = {…}'
lua msl/diagnostics/hints.c 'say outputs = {\"x\"}' 's = {'
lua devices/launch.c 'repeats = 3 measures' 'repeats = 3'
look
fresh
cat >>"$copy/devices/launch.c" <<'END'
/* "gpu.use" is Lua's, as is "b:free()". */
static const char not_lua[] = "in a.gpu.b at 12:x(3), {check} or f(x) {…}";
END
ROOMS_ROOT=$copy scripts/rooms "$copy/build" >"$work/said" 2>&1
ok "and comments and other colons are not" $?
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
also "a symbol of a room that is not allowed" 'uses .*mt_rooms_mask of .*, but host/run may not use host/vector'
echo 'int mt_rooms_watchdog = 1;' >>"$copy/devices/host/vector/mask.c"
compile devices/host/run/watchdog.c && compile devices/host/vector/mask.c
sees "a symbol that is defined twice" 'both define .*mt_rooms_watchdog'
fresh
echo 'int mt_rooms_shared;' >"$copy/base/pool.c"
printf '%s\n' 'int rooms_bare(void) { return 1; }' 'int mt_rooms_shared = 1;' \
  >"$copy/devices/host/vector/mask.c"
also "a symbol without prefix" 'mask.c defines _*rooms_bare, which has no prefix'
compile base/pool.c && compile devices/host/vector/mask.c
echo 'int mt_rooms_upper;' >"$copy/base/files/lock.c"
echo 'extern int mt_rooms_upper; int *mt_rooms_up(void) { return &mt_rooms_upper; }' >"$copy/base/clock.c"
compile base/files/lock.c && compile base/clock.c
also "a symbol of a room above" \
  'clock.c: uses _*mt_rooms_upper of .*, but base may not use base/files'
sees "a symbol of two folders" 'both define .*mt_rooms_shared'
echo "1..$number"
