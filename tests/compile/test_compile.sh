#!/bin/bash
# mettle compile: signatures, diagnostics, JSON, options, exit statuses.
#
# Guards: repl/commands/compile.c: signatures, diagnostics, JSON, options, exit
# statuses; msl/clang/pch_checksum.c: damaged precompiled headers, a Clang that
# crashes; cache folders that others own or can write to; escapes in sources and
# names
set -u
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_llvm "mettle compile"
mettle=$METTLE
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
n=0

check() { # what, 0 or not
  n=$((n + 1))
  if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi
}
has() { grep -qF -- "$2" "$1"; }

cat >"$here/good.metal" <<'M'
#include <metal_stdlib>
#include "size.h"
using namespace metal;
struct Params { float scale; uint n; };
kernel void scale(device const float *a [[buffer(0)]], device float *b, constant Params &p [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  threadgroup float t[SIZE];
  t[i % SIZE] = a[i] * EXTRA;
  b[i] = t[0] * p.scale;
}
M
mkdir "$here/inc"
echo '#define SIZE 64' >"$here/inc/size.h"
cat >"$here/bad.metal" <<'M'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) {
  x[0] = clmp(x[1], 0.0, 1.0);
}
M

"$mettle" compile -I "$here/inc" -D EXTRA=2.0 "$here/good.metal" >"$here/out" \
  2>"$here/err"
check "a good file: status 0" $?
has "$here/out" "kernel void scale(device const float *a [[buffer(0)]]"; check "its signature" $?
has "$here/out" "device float *b [[buffer(1)]]"; check "an implicit index" $?
has "$here/out" "256 bytes of threadgroup memory"; check "its threadgroup memory" $?
[ ! -s "$here/err" ]; check "nothing on standard error" $?

"$mettle" compile "$here/bad.metal" >"$here/out" 2>"$here/err"
[ $? = 1 ]; check "a bad file: status 1" $?
has "$here/err" "bad.metal:4:10: error: use of undeclared identifier 'clmp'"; check "the place and the words" $?
has "$here/err" "  x[0] = clmp(x[1], 0.0, 1.0);"; check "the line as typed" $?

"$mettle" compile --json -I "$here/inc" -DEXTRA=2.0 "$here/good.metal" \
  "$here/bad.metal" >"$here/out" 2>"$here/err"
[ $? = 1 ]; check "one of two is bad: status 1" $?
"$mettle" -e "
  local f = assert(io.open('$here/out'))
  local text = f:read('a') f:close()
  assert(text:find('\"ok\":%s*true') and text:find('\"ok\":%s*false'))
  assert(text:find('\"name\":%s*\"scale\"') and text:find('\"kind\":%s*\"builtin\"'))
  assert(text:find('\"offset\":%s*4') and text:find('\"severity\":%s*\"error\"') and text:find('\"line\":%s*4'))
" >/dev/null 2>"$here/err"
check "JSON has files, kernels, layout, diagnostics" $?

# JSON is UTF-8, whatever the names of files and the words of the source are
odd=$here/$(printf 'f\377.metal')
printf 'kernel void k() { caf\351 = 1; }\n' >"$odd"
"$mettle" compile --json "$odd" "$here/good.metal" >"$here/out" 2>"$here/err"
utf8_json() {
  "$mettle" -e "
    local f = assert(io.open('$1'))
    local text = f:read('a')
    assert(utf8.len(text), 'not UTF-8')
    assert(text:find('f\u{fffd}.metal', 1, true))
    assert(#require 'mettle.json'.decode(text) >= 1)" >/dev/null 2>"$here/err"
}
utf8_json "$here/out"; check "JSON is UTF-8 when the file's name is not" $?

"$mettle" compile - <"$here/bad.metal" >"$here/out" 2>"$here/err"
[ $? = 1 ] && has "$here/err" ":4:10: error"; check "standard input" $?
"$mettle" compile --emit-llvm -I "$here/inc" -D EXTRA=1 "$here/good.metal" \
  >"$here/out" 2>/dev/null
has "$here/out" "define "; check "--emit-llvm" $?
"$mettle" compile >"$here/out" 2>"$here/err"
[ $? = 2 ] && has "$here/err" "no file given"; check "no file: status 2" $?
"$mettle" compile --nonsense x.metal >"$here/out" 2>"$here/err"
[ $? = 2 ] && has "$here/err" "unknown option --nonsense"; check "unknown option: status 2" $?
"$mettle" compile "$here/nothing.metal" >"$here/out" 2>"$here/err"
[ $? = 2 ] && has "$here/err" "nothing.metal"; check "a file that is not there" $?
printf '\357\273\277#define SIZE 8\n' >"$here/inc/marked.h"
printf '\357\273\277#include <metal_stdlib>\n#include "marked.h"\nkernel void k(device float *x) { x[0] = SIZE; y; }\n' >"$here/marked.metal"
"$mettle" compile -I "$here/inc" "$here/marked.metal" >"$here/out" 2>"$here/err"
has "$here/err" "marked.metal:3:47: error: use of undeclared identifier 'y'" && [ "$(grep -c error: "$here/err")" = 1 ]
check "a byte order mark says nothing" $?
METTLE_CLANG=$here/no-clang "$mettle" compile "$here/bad.metal" >"$here/out" \
  2>"$here/err"
[ $? = 1 ] && has "$here/err" "install it with"; check "without Clang: how to install it" $?
printf '#!/bin/sh\necho "Apple clang version 21.0.0 (clang-2100.0.13.3)"\n' >"$here/apple-clang"; chmod +x "$here/apple-clang"
METTLE_CLANG=$here/apple-clang XDG_CACHE_HOME=$here/none "$mettle" compile \
  "$here/good.metal" >"$here/out" 2>"$here/err"
[ $? = 1 ] && has "$here/err" "apple-clang is Apple's, but compiling MSL needs LLVM's Clang 20 or newer"; check "Apple's Clang is not enough, whatever its number" $?
METTLE_CLANG=$here/apple-clang XDG_CACHE_HOME=$here/none "$mettle" doctor \
  >"$here/out" 2>&1
has "$here/out" "Apple's Clang is not enough" && ! grep -q '^ok *Clang' "$here/out"; check "and the doctor says so" $?
[ "$(find "$XDG_CACHE_HOME/mettle" -name 'msl-*.pch.*' | wc -l)" -eq 0 ]; check "no temporary files left" $?
# precompiled headers that a crash or a bad disk left are made again
good() { # by Clang, not from what is kept of it
  rm -f "$XDG_CACHE_HOME"/mettle/made-*
  "$mettle" compile -I "$here/inc" -D EXTRA=2.0 "$here/good.metal" \
    >"$here/out" 2>"$here/err"
}
rm -f "$XDG_CACHE_HOME"/mettle/msl-*; good
header=$(echo "$XDG_CACHE_HOME"/mettle/msl-*.pch)
: >"$header"; good; check "an empty precompiled header" $?
if [ "${METTLE_TESTS:-}" = all ]; then
  head -c 100000 /dev/zero | tr '\0' x >"$header"; good; check "one that is something else" $?
fi
rm "$header"; mkdir "$header"; touch "$header/x"; good; check "a folder in its place, which stays" $?
rm -r "$header"; good
sum() { cksum <"$header"; }
flip='local f = io.open(arg[1], "r+b") local size = f:seek("end") math.randomseed(7)
for i = 1, 300 do
  local at = math.random(0, size - 1)
  f:seek("set", at) local byte = f:read(1):byte()
  f:seek("set", at) f:write(string.char(byte ~ (1 << math.random(0, 7))))
end f:close()'
echo "$flip" >"$here/flip.lua"
before=$(sum); cp -p "$header" "$here/kept"
"$mettle" "$here/flip.lua" "$header"; touch -r "$here/kept" "$header"
[ "$(sum)" != "$before" ] && good && [ "$(sum)" = "$before" ]; check "300 flipped bits, its time kept: made anew" $?
rm "${header%.pch}.sum"; good && [ -s "${header%.pch}.sum" ]
check "one without its sum" $?

# A Clang that fails as $here/how says, each time that it is given the headers.
real=$("$mettle" doctor | sed -n 's/^ok  Clang *\([^:]*\):.*/\1/p')
cat >"$here/clang" <<S
#!/bin/sh
case "\$*" in
*-include-pch*) [ ! -e "$here/how" ] || { cat >/dev/null; . "$here/how"; } ;;
esac
exec "$real" "\$@"
S
chmod +x "$here/clang"
failing() { METTLE_CLANG=$here/clang XDG_CACHE_HOME=$here/cache good; }
inode() { ls -i "$here"/cache/mettle/msl-*.pch; }
rm -f "$here/how"; failing; check "another Clang" $?
before=$(inode)
echo 'rm "$0.once" && exit 70' | sed "s|\$0.once|$here/how|" >"$here/how"
failing && [ ! -e "$here/how" ]; check "a crash that does not come again: tried again" $?
echo 'echo "clang: error: clang frontend command failed with exit code 70" >&2; exit 70' >"$here/how"
! failing && has "$here/err" "Clang itself crashed over this source"; check "one that does: the source is the cause" $?
! has "$here/err" "frontend command"; check "without Clang's words" $?
echo 'kill -SEGV $$' >"$here/how"
! failing && has "$here/err" "the compiler broke off"; check "one by a signal" $?
[ "$(inode)" = "$before" ]; check "headers that are whole stay in their place for others" $?
echo "rm '$here/how'; echo 'fatal error: PCH file was built by another version' >&2; exit 1" >"$here/how"
failing && [ "$(inode)" != "$before" ]; check "headers that Clang refuses are made anew" $?
[ "$(find "$here/cache/mettle" -name 'msl-*' | wc -l)" -eq 2 ]; check "and nothing else is left" $?

# Nothing of a source or of its name acts on the terminal; UTF-8 and tabs stay.
evil=$(printf '%s/e\033]0;x\007vil\ngrün.metal' "$here")
printf '#include "\033[2Jgone.h"\nkernel void k(device float *x) {\n\tx[0] = clmp(1); // \033[31m\302\233 grün \342\200\256 \177 漢\n}\n' >"$evil"
acts() { LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$1" || LC_ALL=C grep -q "$(printf '\302[\200-\237]')" "$1"; }
"$mettle" compile "$evil" >"$here/out" 2>"$here/err"
has "$here/err" "e␛]0;x␇vil␊grün.metal:1:10" && ! acts "$here/err"; check "escapes in names and messages are shown" $?
sed -i.bak '1d' "$evil"
"$mettle" compile "$evil" >"$here/out" 2>"$here/err"
has "$here/err" "$(printf '\tx[0] = clmp(1); // ␛[31m� grün � ␡ 漢')" && ! acts "$here/err"; check "and in lines of the source" $?
printf 'kernel void k(device float *x) { x[1] = 1; } // \033[2J\n' >"$evil"
"$mettle" check "$evil" --grid 1 --arg x='float[1]' >"$here/out" 2>&1
has "$here/out" "// ␛[2J" && has "$here/out" "␇vil" && ! acts "$here/out"; check "and in what check finds" $?
"$mettle" compile "$evil" >"$here/out" 2>&1
has "$here/out" "␇vil" && ! acts "$here/out"; check "and where all is well" $?
printf 'local x = "\033[2J" error("\\27]0;x\\7")\n' >"$here/evil.lua"
"$mettle" "$here/evil.lua" >"$here/out" 2>&1
has "$here/out" "␛]0;x␇" && has "$here/out" "␛[2J" && ! acts "$here/out"; check "and in an error of Lua" $?

# A cache folder that others can write to, or own, is not used: its code is run.
twice='k = gpu.kernel [=[kernel void twice(device float *a [[buffer(0)]]) { a[0] = 2 * a[0]; }]=]
a = gpu.buffer{21} k{a, grid = 1} print(a[0])'
closed() {
  XDG_CACHE_HOME=$here/shared "$mettle" -e "$twice" >"$here/out" \
    2>"$here/err" && has "$here/out" 42
}
reads_none() { # in that folder of it
  [ "$(find "$here/shared/${1:-}" -type f -newer "$here/mark" | wc -l)" -eq 0 ]
}
mkdir -m 700 "$here/shared"
closed && [ ! -s "$here/err" ]; check "a cache folder of one's own" $?
code=$(find "$here/shared" -name 'mt_k*' | head -n 1)
[ -n "$code" ]; check "has machine code" $?
# it is named as it lies on the disk: a Mac's temporary folders are reached by a
# link
real=$(cd "$here" && pwd -P)
for folder in "$real/shared" "$real/shared/mettle"; do
  chmod o+w "$folder"; sleep 0.01; touch "$here/mark"
  closed; check "open to others (${folder#"$real/"}): the kernel runs" $?
  has "$here/err" "can be written by other users; close it with: chmod go-w $folder"; check "and the way out is said" $?
  [ "$(grep -c "not kept" "$here/err")" = 1 ] && reads_none; check "once, and nothing there is used" $?
  XDG_CACHE_HOME=$here/shared "$mettle" doctor >"$here/out" 2>&1
  has "$here/out" "to fix it: close it with: chmod go-w $folder"; check "the doctor says so, too" $?
  chmod o-w "$folder"
done
chmod 777 "$here/shared/mettle/host"; touch "$here/mark"
closed && reads_none mettle/host; check "the folder of machine code open to others" $?
XDG_CACHE_HOME=$here/shared "$mettle" doctor | grep -q "chmod go-w $real/shared/mettle/host"; check "in the doctor" $?
chmod 700 "$here/shared/mettle/host"
chmod o+w "$code"; touch "$here/mark"; closed && [ "$(stat -c %a "$code" 2>/dev/null || stat -f %Lp "$code")" = 600 ]
check "a file open to others is not read but replaced" $?
mv "$code" "$here/moved"
ln -s "$here/moved" "$code"; closed && [ ! -L "$code" ]
check "nor is a link" $?
mkdir -m 1777 "$here/sticky"; mkdir -m 700 "$here/sticky/mine"
XDG_CACHE_HOME=$here/sticky/mine "$mettle" -e "$twice" 2>"$here/err" >/dev/null
[ ! -s "$here/err" ] && [ -d "$here/sticky/mine/mettle/host" ]; check "a folder of one's own in one like /tmp" $?
if [ "$(id -u)" = 0 ]; then
  chown 4242 "$here/shared"; touch "$here/mark"
  closed && has "$here/err" "belongs to another user (4242, and this is 0)" && reads_none
  check "root in the folder of another user" $?
  chown 0 "$here/shared"
else
  check "root in the folder of another user # SKIP this is not root" 0
fi

# An expression that is too long for Clang's stack, whatever the shell allows.
# deep COUNT: after so many other kernels, since Clang may stay loaded from the
# first on
deep() {
  ulimit -s "$(ulimit -H -s)"
  "$mettle" -e "local k = 'kernel void k(device float *a) { a[0] = %s; }' gpu.use 'host'
    for i = 1, $1 do gpu.kernel(k:format(i)) end gpu.kernel(k:format(('1+'):rep(100000) .. '1'))" >"$here/out" 2>"$here/err"
}
for count in 0 2; do
  (deep $count); has "$here/err" "nested too deep for it; cut it into parts"; check "a stack without limit, kernel $((count + 1))" $?
done
echo "1..$n"
