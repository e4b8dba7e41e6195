#!/bin/bash
# packaging/install.sh, with a bundle of two files: from a folder, an archive
# and an address, by whatever the machine can unpack, to a person's own folder;
# what is refused leaves all as it was.
#
# Guards: packaging/install.sh with a bundle of two files: by each program that
# unpacks, by none, without HOME, from an address, over an old one
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
if [ "$(uname -s)" != Linux ]; then
  echo "ok 1 - install.sh # SKIP bundles are for Linux"; echo "1..1"; exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; tail -n 40 "$work/said" | sed 's/^/# /'
  fi
}
skip() { number=$((number + 1)); echo "ok $number - $1 # SKIP $2"; }

# its program says its version
small=$work/small/mettle-9-linux; mkdir -p "$small/bin" "$small/share/doc/mettle"
printf '#!/bin/sh\necho "Mettle 9"\n' >"$small/bin/mettle"; chmod +x "$small/bin/mettle"
cp packaging/install.sh "$small/"
needs() { echo "Linux, $1" >"$small/share/doc/mettle/needs.txt"; }
needs "$(uname -m)"
LEVEL=1 scripts/bundle pack "$small" "$work/small/m.tar.xz" >"$work/said" 2>&1; ok "a small one to install" $?
place="$work/a prefix"
install() {
  env -i HOME="$work/nobody" PATH="$PATH" sh "$@" >"$work/said" 2>&1
}
says() { grep -qF -- "$1" "$work/said"; }
none() {
  [ ! -e "$place/bin/mettle" ] && [ -z "$(ls "$place/lib" 2>/dev/null)" ]
}
installed() {
  [ "$("$place/bin/mettle")" = "Mettle 9" ] &&
    [ "$(ls "$place/lib")" = mettle-bundle ]
}
away() {
  env -i PATH="$PATH" sh packaging/install.sh --prefix "$place" --remove \
    >/dev/null 2>&1
}

install packaging/install.sh --prefix "$place" "$work/small/m.tar.xz" && installed && says "is not in PATH"; ok "installed from an archive" $?
install "$small/install.sh" --prefix "$place" && installed; ok "and over itself, from a folder" $?
install packaging/install.sh --prefix "$place" --remove && none
ok "and removed" $?
! install packaging/install.sh --prefix "$place" --remove &&
  says "there is no bundle"
ok "and gone" $?
install "$small/install.sh" && [ "$("$work/nobody/.local/bin/mettle")" = "Mettle 9" ]; ok "without a prefix it goes to the user's own" $?
needs vax; ! install "$small/install.sh" --prefix "$place" && says "this bundle is for vax" && none; ok "refused: another machine" $?
needs "$(uname -m)"
cp "$work/small/m.tar.xz" "$work/small/bad.tar.xz"; echo 0 >"$work/small/bad.tar.xz.sha256"
! install packaging/install.sh --prefix "$place" "$work/small/bad.tar.xz" && says "is damaged" && none; ok "refused: a wrong checksum" $?
echo none >"$work/small/no.tar.xz"; ! install packaging/install.sh --prefix "$place" "$work/small/no.tar.xz" && says "could not be unpacked" && none; ok "refused: what is no archive" $?

# ------------------------------------------- a machine that has fewer programs

fewer=$work/fewer; mkdir -p "$fewer"
# give TOOL...: the machine has it; where this one has not, false
give() {
  local tool found
  for tool in "$@"; do
    found=$(command -v "$tool") || return 1
    if [ "$tool" = python3 ]; then # (not a script that looks for one)
      found=$(python3 -c 'import lzma, sys; print(sys.executable)' 2>/dev/null) || return 1
    fi
    ln -sf "$found" "$fewer/$tool"
  done
}
give sh cat chmod cp cut dirname id ln ls mkdir mv readlink rm sed \
  sha256sum tar uname
poorly() { # [NAME=VALUE...] -- ARGUMENTS
  local words=()
  while [ "$1" != -- ]; do words+=("$1"); shift; done; shift
  env -i "${words[@]+"${words[@]}"}" PATH="$fewer" "$(command -v sh)" \
    packaging/install.sh "$@" >"$work/said" 2>&1
}
with() { poorly HOME="$work/nobody" -- --prefix "$place" "$@"; }

! command -v zstd >/dev/null ||
  LEVEL=1 scripts/bundle pack "$small" "$work/small/z.tar.zst" >"$work/said" 2>&1
! with "$work/small/m.tar.xz" && says "needs xz, which is not here: install it, or use the .tar.zst with zstd" && none; ok "nothing unpacks here: a sentence for .tar.xz" $?
! with "$work/small/m.tar.zst" && says "needs zstd, which is not here: install it, or use the .tar.xz with xz" && none; ok "and for .tar.zst" $?
for tool in unxz xz busybox python3; do
  give "$tool" ||
    { skip "unpacked by $tool" "it is not installed"; continue; }
  with "$work/small/m.tar.xz" && installed; ok "unpacked by $tool" $?
  away
  # (Python unpacks both from 3.14 on)
  if [ "$tool" != python3 ] || ! python3 -c 'import compression.zstd' 2>/dev/null; then
    with "$work/small/m.tar.zst" && installed; ok "by $tool the .tar.xz beside a .tar.zst that is not there" $?
    away
  elif [ -f "$work/small/z.tar.zst" ]; then
    with "$work/small/z.tar.zst" && installed; ok "by $tool a .tar.zst, too" $?
    away
  fi
  ! with "$work/small/no.tar.xz" && says "could not be unpacked" && none; ok "by $tool what is no archive is refused" $?
  rm "$fewer/$tool"
done
give unxz || give xz
! with "$work/small/alone.tar.zst" && says "needs zstd, which is not here: install it, or use the .tar.xz" && none; ok "where none is beside there is a sentence" $?
rm -f "$fewer"/unxz "$fewer"/xz
if [ -f "$work/small/z.tar.zst" ]; then
  for tool in zstd unzstd; do
    give "$tool" || continue
    with "$work/small/z.tar.zst" && installed; ok "unpacked by $tool" $?
    away
    with "$work/small/z.tar.xz" && installed; ok "by $tool the .tar.zst beside a .tar.xz that is not there" $?
    away; rm "$fewer/$tool"
  done
else
  skip "unpacked by zstd" "it is not installed"
fi

# ------------------------------------------------------------- without a HOME

# the system's word: a script in the place of getent
known() { printf '#!/bin/sh\necho "me:x:%s:0::%s:/bin/sh"\n' "$(id -u)" "$1" >"$fewer/getent"; chmod +x "$fewer/getent"; }
mkdir "$work/known"
known "$work/known"
# (a bundle's folder needs nothing to unpack it)
at_home() {
  [ "$("$work/known/.local/bin/mettle")" = "Mettle 9" ] && [ ! -e /.local ]
}
from_folder() {
  env -i "$@" PATH="$fewer" "$(command -v sh)" "$small/install.sh" \
    >"$work/said" 2>&1
}
for words in no HOME= HOME=/; do
  from_folder ${words/#no/NONE=} && at_home; ok "$words: the home folder that the system knows" $?
  rm -rf "$work/known/.local"
done
printf '#!/bin/sh\nexit 2\n' >"$fewer/getent"
rm "$fewer/cat"
printf '#!/bin/sh\necho "root:x:4711:0::/root:/bin/sh"\necho "me:x:%s:0::%s:/bin/sh"\n' "$(id -u)" "$work/known" >"$fewer/cat"
chmod +x "$fewer/cat"
from_folder NONE= && at_home; ok "also where there is no getent" $?
rm -rf "$work/known/.local"
for folder in / "" "$work/nonexistent"; do
  known "$folder"
  ! from_folder NONE= && says "HOME is not set, and this user has no home folder: say where by --prefix DIR" && [ ! -e "$work/nonexistent" ] && [ ! -e /.local ]; ok "a sentence where that is '${folder/#"$work"/}'" $?
done
poorly -- --prefix "$place" --remove; says "there is no bundle in $place"; ok "with --prefix no HOME is needed" $?

# --------------------------------------------------------------- by an address

# a server of this machine's own
if command -v curl >/dev/null && command -v python3 >/dev/null; then
  python3 -u -m http.server --bind 127.0.0.1 --directory "$work/small" 0 \
    >"$work/server" 2>&1 & server=$!
  until port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/server") && [ "$port" ]; do
    kill -0 $server 2>/dev/null || break; sleep 0.1
  done
  from=http://127.0.0.1:$port
  install packaging/install.sh --prefix "$place" "$from/m.tar.xz" && installed; ok "installed from an address" $?
  away
  ! install packaging/install.sh --prefix "$place" "$from/bad.tar.xz" && says "is damaged" && none; ok "refused: an address with a wrong checksum" $?
  ! install packaging/install.sh --prefix "$place" "$from/no.tar.xz" && says "or its .sha256, could not be fetched" && none; ok "refused: an address without a checksum" $?
  kill $server; wait $server 2>/dev/null
else
  skip "installed from an address" "curl or python3 is missing"
fi

# ------------------------------------------------------------ what was there

mkdir -p "$place/bin"; echo mine >"$place/bin/mettle"
! install "$small/install.sh" --prefix "$place" && says "is not a bundle's" && grep -qx mine "$place/bin/mettle"; ok "refused: another mettle is there" $?
rm "$place/bin/mettle"; install "$small/install.sh" --prefix "$place"
printf '#!/bin/sh\nexit 1\n' >"$small/bin/mettle"
! install "$small/install.sh" --prefix "$place" && says "does not run here" && installed; ok "one that does not run leaves the old one" $?
echo "1..$number"
