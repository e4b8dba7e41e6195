#!/bin/bash
# libmettle as another program has it: the header alone in C and C++, nothing
# but the API among its symbols, the example, and the suite in C of this folder
# with its shared and its static form; then the same from where make install
# puts it. A Mac's library has no static form, and is where it says that it is:
# there the installed one is not moved, and a program over it needs no path.
#
# Guards: libmettle as a program in C has it (tests/embed/suite.c,
# tests/embed/cases.c): the header alone, its symbols by nm, the example, shared
# and static, installed, moved and uninstalled; arguments, faults, endless
# kernels, check, profile, threads, forks, signals; embed/{advice, device, find,
# launch, memory, report, service}.c, embed/example/saxpy.c
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
build=${build:-build}
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "libmettle"
case $(uname -s) in Darwin) mac=yes suffix=dylib ;; *) mac='' suffix=so ;; esac
library=$build/libmettle.$suffix
unset METTLE_DATA # it finds its own
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
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }
compiler=${CC:-cc} strict="-O1 -Wall -Wextra -Werror -pedantic"

# ------------------------------------------------- the header and the symbols

echo '#include <mettle/mettle.h>' >"$work/alone.c"
# shellcheck disable=SC2086  # several flags
$compiler -std=c99 $strict -Iinclude -c -o "$work/alone.o" "$work/alone.c" \
  >"$work/said" 2>&1 &&
  ${CXX:-c++} -std=c++11 $strict -Iinclude -x c++ -c -o "$work/alone.o" \
  "$work/alone.c" >>"$work/said" 2>&1
ok "the header stands alone, in C99 and C++" $?
grep -n '^ *#include "' include/mettle/*.h >"$work/said"; [ ! -s "$work/said" ]; ok "it includes nothing of Mettle's own" $?

# what the header declares, and what each form of the library gives
grep -oE '(^|[^a-z_])mettle_[a-z_]+\(' include/mettle/mettle.h | tr -cd 'a-z_\n' | sort -u >"$work/declared"
same() { diff "$work/declared" - >"$work/said"; }
exported() {
  if [ "$mac" ]; then nm -gU "$library" | awk '{ sub(/^_/, "", $3); print $3 }'
  else
    nm -D --defined-only "$library" |
      awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }'
  fi
}
exported | sort -u | same
ok "the shared library has the symbols of the header and no others" $?
if [ "$mac" ]; then skip "and so has the static one" "a Mac has none"
else
  nm -g --defined-only "$build/libmettle.a" | awk 'NF == 3 { print $3 }' |
    sort -u | same
  ok "and so has the static one" $?
fi
abi=$(sed -n 's/^#define METTLE_ABI //p' include/mettle/mettle.h)
if [ "$mac" ]; then
  otool -D "$library" | tail -n 1 >"$work/said"
  [ "$(cat "$work/said")" = "$here/$build/libmettle.$abi.dylib" ]
else
  readelf -dW "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' >"$work/said"
  [ "$(cat "$work/said")" = "libmettle.so.$abi" ]
fi
ok "its name has the number of its ABI" $?

# A build with sanitizers: the example and the suite have them, too.
case $build in
  *tsan) sanitize=-fsanitize=thread ;;
  *san) sanitize=-fsanitize=address,undefined ;;
  *) sanitize='' ;;
esac

# ----------------------------------------------------------- from an install

the_install() { # the_install GOAL: to where it is, or to another place first
  local to=/opt/mettle; [ -z "$mac" ] || to=$work/here
  env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory "$1" \
    DESTDIR="$root" PREFIX="$to" LIBDIR="$to/lib/some-triplet" \
    >"$work/said" 2>&1
}

move() {
  mv "$root/opt/mettle" "$work/an other place"
  prefix="$work/an other place" lib="$prefix/lib/some-triplet"
  sed "s|^prefix=.*|prefix=$work/here|; s|^libdir=.*|libdir=$work/here/lib/some-triplet|" "$lib/pkgconfig/mettle.pc" >"$work/mettle.pc" &&
    mv "$work/mettle.pc" "$lib/pkgconfig/mettle.pc"
  ln -s "$prefix" "$work/here"
}

installed() {
  root=$work/root prefix=$work/here lib=$work/here/lib/some-triplet path=
  [ -z "$mac" ] || root=
  the_install install
  ok "make install" $?
  [ "$mac" ] || { move; path=-Wl,-rpath,$work/here/lib/some-triplet; }
  PKG_CONFIG_PATH=$lib/pkgconfig; export PKG_CONFIG_PATH
  if command -v pkg-config >/dev/null; then
    flags=$(pkg-config --cflags --libs mettle) \
      static=$(pkg-config --static --libs mettle)
    [ "$(pkg-config --modversion mettle)" = "$("$METTLE" --version | cut -d' ' -f2)" ]; ok "pkg-config knows it" $?
  else
    flags="-I$work/here/include -L$work/here/lib/some-triplet -lmettle" static=$(sed -n 's/^Libs.private: //p' "$lib/pkgconfig/mettle.pc")
    skip "pkg-config knows it" "there is no pkg-config"
  fi
  # shellcheck disable=SC2086  # several flags
  $compiler $strict -std=c11 -o "$work/saxpy" embed/example/saxpy.c $flags \
    $path >"$work/said" 2>&1
  ok "the example compiles" $?
  [ "$(wc -l <embed/example/saxpy.c)" -le 40 ]; ok "and has at most 40 lines" $?
  # shellcheck disable=SC2086
  $compiler $strict -std=c11 -o "$work/plain" embed/example/saxpy.c $flags \
    >"$work/said" 2>&1
  (cd / && "$work/saxpy") >"$work/said" 2>&1; grep -q '^y\[999\] = 1999$' "$work/said"; ok "and runs, from where it was installed or moved to" $?
  in_other_places
  parts_of_another_build
  [ "$mac" ] || { mkdir -p "$root/opt" && mv "$prefix" "$root/opt/mettle"; }
  the_install uninstall
  find "${root:-$work/here}" -type f -o -type l >"$work/said"; [ ! -s "$work/said" ]; ok "make uninstall leaves no file" $?
}

in_other_places() {
  if [ "$mac" ]; then
    skip "from lib itself and with the static library" "not on a Mac"
    return
  fi
  # the usual place, beside the folder of the modules
  cp "$lib/libmettle.so.1" "$prefix/lib/"
  LD_LIBRARY_PATH=$prefix/lib "$work/plain" >"$work/said" 2>&1
  grep -q '^y\[999\] = 1999$' "$work/said"
  ok "and from lib itself" $?
  rm "$prefix/lib/libmettle.so.1"
  # shellcheck disable=SC2086
  $compiler -o "$work/static" embed/example/saxpy.c -I"$work/here/include" \
    "$lib/libmettle.a" ${static//-lmettle/} -lpthread >"$work/said" 2>&1 &&
    METTLE_PROGRAM=$prefix/bin/mettle "$work/static" >"$work/said" 2>&1
  grep -q '^y\[999\] = 1999$' "$work/said"; ok "the same with the static library" $?
  PATH=/nowhere:$prefix/bin "$work/static" >"$work/said" 2>&1; grep -q '^y\[999\] = 1999$' "$work/said"; ok "it finds the program in PATH" $?
  METTLE_PROGRAM=/nowhere/mettle "$work/static" >"$work/said" 2>&1; grep -q '^saxpy: METTLE_PROGRAM is /nowhere/mettle, ' "$work/said"
  ok "without Mettle's program there is a sentence" $?
}

# the same files with another id in them, which a Mac wants signed again
of_another_build() {
  perl -pe "s/$id/${id//[0-9]/7}/g" "$1" >"$work/part" &&
    cp "$work/part" "$1"
  [ -z "$mac" ] || codesign -f -s - "$1" 2>/dev/null || true
}

parts_of_another_build() {
  id=$("$prefix/bin/mettle" --worker build-id)
  printf '#!/bin/sh\necho asked >>"%s"\nexec "${0%%/*}/mettle" "$@"\n' "$work/asked" >"$prefix/bin/script"; chmod +x "$prefix/bin/script"
  METTLE_PROGRAM=$prefix/bin/script "$work/saxpy" >"$work/said" 2>&1
  grep -q '^y\[999\] = 1999$' "$work/said" && [ -s "$work/asked" ]
  ok "a script that starts the program is asked for its build" $?
  printf '#!/bin/sh\necho "$*" >>"%s"\nexec "${0%%/*}/mettle" "$@"\n#%s\0' "$work/words" "$id" >"$prefix/bin/script"
  METTLE_PROGRAM=$prefix/bin/script "$work/saxpy" >"$work/said" 2>&1
  grep -q '^y\[999\] = 1999$' "$work/said" && ! grep -q build-id "$work/words"
  ok "and a file that has the id in it is not" $?
  rm "$prefix/bin/script"
  cp "$prefix/lib/mettle/host.so" "$work/host.so"
  of_another_build "$prefix/lib/mettle/host.so"
  "$prefix/bin/mettle" -e 'gpu.kernel "kernel void f() {}"' >"$work/said" 2>&1
  grep -q 'host.so is of another build than the program: ' "$work/said"; ok "a module of another build is refused" $?
  cp "$work/host.so" "$prefix/lib/mettle/host.so"
  of_another_build "$prefix/bin/mettle"
  "$work/saxpy" >"$work/said" 2>&1; grep -q '^saxpy: libmettle and .*/bin/mettle are of different builds: ' "$work/said"; ok "and so is a program" $?
}

in_the_tree() {
  # shellcheck disable=SC2086
  $compiler $strict $sanitize -std=c11 -Iinclude -o "$work/saxpy" \
    embed/example/saxpy.c -L"$build" -lmettle -Wl,-rpath,"$here/$build" \
    >"$work/said" 2>&1 &&
    "$work/saxpy" >"$work/said" 2>&1
  grep -q '^y\[999\] = 1999$' "$work/said"; ok "the example, with sanitizers" $?
}
if [ "$sanitize" ]; then in_the_tree; else installed; fi

# ---------------------------------------------------------------- the suite

# (its cases are the host device's; the example ran on the best there is)
[ -z "$mac" ] || export METTLE_DEVICE=host
# shellcheck disable=SC2086
$compiler $sanitize -std=gnu11 -O1 -g -Wall -Wextra -Werror -Iinclude \
  -o "$work/suite" tests/embed/*.c -L"$build" -lmettle \
  -Wl,-rpath,"$here/$build" -pthread >"$work/said" 2>&1
ok "the suite compiles" $?
"$work/suite" >"$work/tap" 2>"$work/said"; status=$?
sed -n "s/^\(not \)\{0,1\}ok [0-9]* - \(.*\)/\1 \2/p" "$work/tap" >"$work/results"
while IFS= read -r line; do
  case $line in "not "*) ok "${line#not }" 1 ;; *) ok "${line# }" 0 ;; esac
done <"$work/results"
grep '^#' "$work/tap"
[ $status = 0 ] && grep -q "^1\.\." "$work/tap"; ok "the suite comes to its end" $?
echo "1..$number"
