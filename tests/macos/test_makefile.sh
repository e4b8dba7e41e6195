#!/bin/bash
# test_makefile.sh - what make would do on a Mac, read from its dry runs
# (SYSTEM=Darwin): goals that are Linux's, what libraries are linked with, where
# libmettle says that it is, and what `make macos` needs in a fresh clone.
#
# Guards: the Makefile on a Mac, from its dry runs: goals that are Linux's, link
# lines, where libmettle says that it is, `make macos` in a fresh clone
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    tail -n 20 "$work/said" | cut -c1-200 | sed 's/^/# /'
  fi
}
make=$(command -v "${MAKE:-make}")
unset MAKEFLAGS MAKELEVEL

# A fresh clone, in which nothing was ever found out or built; its deps brings
# linenoise, and nothing else.
clone="$(cd "$work" && pwd -P)/a clone" # as make calls it
mkdir -p "$clone/scripts"
for part in *; do
  case $part in build | scripts) ;; *) ln -s "$here/$part" "$clone/" ;; esac
done
cat >"$clone/scripts/deps" <<'DEPS'
#!/bin/sh
echo "deps $*" >>called
mkdir -p build/linenoise
touch build/linenoise/linenoise.c build/linenoise/linenoise.h
echo "a copy" >build/linenoise/origin
cat >build/config.mk <<'CONFIG'
LUA_LIBS := -L/homebrew/lib -llua5.4 -lm
CJSON_LIBS := -L/homebrew/lib -lcjson
PICTURES_LIBS := -L/p -lpng16 -lz -L/j -ljpeg -lsixel -lm -lpng16 -ljpeg -lgif
SDL_LIBS := -L/homebrew/lib -lSDL2
ZMQ_LIBS := -L/homebrew/lib -lzmq -lsodium -lzmq
LLVM_LIBS := -L/homebrew/opt/llvm/lib -lLLVM-22
CMOCKA_LIBS := -L/homebrew/lib -lcmocka
CONFIG
DEPS
chmod +x "$clone/scripts/deps"
# plan GOAL…: the commands, each in one line
plan() {
  (cd "$clone" && "$make" -n "$@" 2>&1) |
    awk '{ if (sub(/\\$/, "")) printf "%s", $0; else print }'
}
calls() { cat "$clone/called" 2>/dev/null; }

# ------------------------------------------------------- goals that are Linux's

for goal in bundle bundle-archive bundle-folder wheel deb; do
  rm -rf "$clone/build" "$clone/called"
  ! (cd "$clone" && "$make" -s "$goal" SYSTEM=Darwin) >"$work/said" 2>&1 &&
    [ -z "$(calls)" ] && [ ! -e "$clone/build" ] &&
    [ "$(grep -vc '^make' "$work/said")" = 0 ] &&
    [ "$(grep -c "^make $goal packs for Linux alone" "$work/said")" = 1 ]
  ok "make $goal on a Mac: one sentence, nothing installed" $?
done

# ----------------------------------------------------- make macos in this clone

rm -rf "$clone/build" "$clone/called"
plan macos >"$work/said"
awk '/linenoise\/origin\.h/ && /sed/ { made = 1 }
  /tests\/macos\/build/ && made { used = 1 } END { exit !used }' "$work/said"
ok "make macos makes the header that the doctor includes first" $?
grep -q '^scripts/deps macos' "$work/said"
ok "and asks for the linker" $?

# ------------------------------------------------------------------ link lines

plan all tests SYSTEM=Darwin | grep -E -- ' -o build/' |
  grep -E -- '-(bundle|dynamiclib|export_dynamic)' >"$work/links"
[ "$(wc -l <"$work/links")" -gt 20 ]; ok "there are link lines to read" $?
tr -s ' ' '\n' <"$work/links" |
  awk '/^cc$/ { delete seen; line++ }
    /^-l/ && seen[$0]++ { print "command " line " has " $0 " twice" }' \
  >"$work/said"
[ ! -s "$work/said" ]; ok "no library is named twice" $?
! grep -E -- ' -ldl( |$)' "$work/links" >"$work/said"
ok "nor one that is part of libSystem" $?

# What the suites have in C++ is built for a Mac by make macos, too.
plan macos | tr -s ' "' '\n' | grep '\.cpp$' | sort -u >"$work/built"
grep -oE 'obj/tests/c/[^ ]*\.o' "$work/links" | sort -u |
  while IFS= read -r object; do
    source=${object#obj/} source=${source%.o}.cpp
    [ ! -f "$source" ] || echo "$source"
  done >"$work/wanted"
comm -23 "$work/wanted" "$work/built" >"$work/said"
[ -s "$work/wanted" ] && [ ! -s "$work/said" ]
ok "make macos builds what the suites have in C++" $?

# ---------------------------------------------------------------- install names

grep -o -- "-install_name '[^']*'" "$work/links" >"$work/said"
grep -qxF -- "-install_name '$clone/build/libmettle.1.dylib'" "$work/said"
ok "libmettle says where it is in the build folder" $?
name_of() { # name_of VARIABLE…: of the one that is installed
  plan install-library SYSTEM=Darwin "$@" >"$work/plan"
  grep -o -- "-install_name '[^']*' -o [^ ]*" "$work/plan" |
    tail -1 >"$work/said"
}
name_of PREFIX=/opt/m DESTDIR=/packed
grep -qxF -- "-install_name '/opt/m/lib/libmettle.1.dylib' -o /packed/opt/m/lib/libmettle.1.dylib" "$work/said"
ok "and below PREFIX when it is installed, whatever DESTDIR is" $?
name_of PREFIX=/opt/m LIBDIR=/opt/m/lib64
grep -qF -- "-install_name '/opt/m/lib64/libmettle.1.dylib'" "$work/said"
ok "or in LIBDIR" $?
name_of PREFIX=there
grep -qF -- "-install_name '$clone/there/lib/libmettle.1.dylib'" "$work/said"
ok "by a whole path" $?
! grep -rn '@rpath' "$here/Makefile" "$here/packaging/mettle.pc.in" \
  >"$work/said"
ok "no program has to know an rpath" $?

# --------------------------------------------------------- the name of a wheel

if command -v python3 >/dev/null; then
  for is in macosx-15-arm64:macosx_15_0_arm64 \
    macosx-10.9-universal2:macosx_10_9_universal2 \
    macosx-26.0-x86_64:macosx_26_0_x86_64 linux-x86_64:linux_x86_64; do
    PYTHONDONTWRITEBYTECODE=1 python3 -c 'import sys, sysconfig
sys.path.insert(0, "python")
sysconfig.get_platform = lambda: sys.argv[1]
import mettle_build
print(mettle_build.tag("/nowhere"))' "${is%:*}" >"$work/said" 2>&1
    [ "$(cat "$work/said")" = "py3-none-${is#*:}" ]
    ok "a wheel for ${is%:*} is one that pip takes" $?
  done
fi
echo "1..$number"
