#!/bin/sh
# install.sh - puts a bundle of Mettle (docs/bundle.md) where a person's
# programs are, without root.
#
#   sh install.sh [--prefix DIR] [ARCHIVE]   install; DIR: ~/.local if not told
#   sh install.sh [--prefix DIR] --remove    take it away again
#
# ARCHIVE is mettle-VERSION-linux-ARCH.tar.xz or .tar.zst: a file, or the
# address of one (http:// or https://), which curl or wget fetches. The .sha256
# beside it is compared; an address has to have one. Where the machine cannot
# unpack the one, the other beside it is taken. Without ARCHIVE the bundle is
# the folder that this script is in, and nothing is fetched. All of it goes to
# DIR/lib/mettle-bundle, and DIR/bin/mettle is a link to its program. The old
# one is there until the new one has run.
set -eu

say() { printf '%s\n' "$*"; }
die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

prefix='' archive='' remove=''
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || die "--prefix wants a folder"; prefix=$2; shift ;;
    --remove) remove=yes ;;
    -*) die "$1 is not known: sh install.sh [--prefix DIR] [--remove] [ARCHIVE]" ;;
    *) archive=$1 ;;
  esac
  shift
done

# The person's home folder: HOME's, or where that says none (as root's by cron,
# sudo or in a container may) the one that the system knows for this user.
find_home() {
  case ${HOME:-} in '' | /) ;; *) printf '%s\n' "$HOME"; return ;; esac
  user=$(id -u)
  { getent passwd "$user" 2>/dev/null || cat /etc/passwd 2>/dev/null; } |
    while IFS=: read -r _ _ number _ _ folder _; do
      [ "$number" != "$user" ] || [ "$folder" = / ] || [ ! -d "$folder" ] ||
        { printf '%s\n' "$folder"; break; }
    done
}
if [ -z "$prefix" ]; then
  prefix=$(find_home)
  [ "$prefix" ] || die "HOME is not set, and this user has no home folder: say where by --prefix DIR"
  prefix=$prefix/.local
fi
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
home=$prefix/lib/mettle-bundle link=$prefix/bin/mettle \
  to=../lib/mettle-bundle/bin/mettle

# ours: the link to the bundle, or nothing at all
is_ours() {
  [ "$(readlink "$link" 2>/dev/null)" = "$to" ] ||
    { [ ! -e "$link" ] && [ ! -h "$link" ]; }
}
is_ours || die "$link is there and is not a bundle's: move it away, or choose another --prefix"

if [ "$remove" ]; then
  [ -d "$home" ] || die "there is no bundle in $prefix"
  rm -f "$link"; rm -rf "$home"
  say "Mettle is gone from $prefix; what it kept for you is in ~/.cache/mettle and ~/.local/state/mettle."
  exit 0
fi

# ---------------------------------------------------------------- the new one

mkdir -p "$prefix/lib" "$prefix/bin" 2>/dev/null || die "$prefix cannot be written: choose another --prefix"
new=$home.new.$$
trap 'rm -rf "$new"' EXIT
mkdir "$new" 2>/dev/null || die "$prefix/lib cannot be written: choose another --prefix"

has() { command -v "$1" >/dev/null 2>&1; }

# fetch ADDRESS FILE
fetch() {
  if has curl; then curl -fsSL -o "$2" "$1"
  elif has wget; then wget -q -O "$2" "$1"
  else die "fetching $1 needs curl or wget, and neither is here: fetch it by other means, with its .sha256"; fi
}

# get NAME: the archive of that name and its checksum, as $file; false: none
get() {
  file=$1
  case $1 in
    http://* | https://*)
      file=$new/${1##*/}
      fetch "$1.sha256" "$file.sha256" 2>/dev/null && fetch "$1" "$file" ;;
    *) [ -f "$file" ] ;;
  esac
}

# unpacker KIND: what writes an archive of that kind to standard output, given
# its name; false: nothing here does
python_has() { has python3 && python3 -c "import $1" 2>/dev/null; }
with_python() { printf "python3 -c 'import sys, shutil, %s as m; shutil.copyfileobj(m.open(sys.argv[1]), sys.stdout.buffer)'" "$1"; }
unpacker() {
  case $1 in
    xz)
      if has unxz; then echo 'unxz -c'
      elif has xz; then echo 'xz -dc'
      elif has busybox && busybox unxz --help >/dev/null 2>&1; then
        echo 'busybox unxz -c'
      elif python_has lzma; then with_python lzma
      else return 1; fi ;;
    zst)
      if has zstd; then echo 'zstd -qdc'
      elif has unzstd; then echo 'unzstd -qc'
      elif python_has compression.zstd; then with_python compression.zstd
      else return 1; fi ;;
    *) echo cat ;;
  esac
}

# The one that was asked for, or else the other.
missing='' by=cat
kind=${archive##*.} other=''
case $kind in
  xz) other=zst tool=xz others=zstd ;;
  zst) other=xz tool=zstd others=xz ;;
esac
if [ "$archive" ] && ! by=$(unpacker "$kind"); then
  missing="unpacking $archive needs $tool, which is not here: install it, or use the .tar.$other with $others"
  by=$(unpacker "$other") || die "$missing"
  archive=${archive%.*}.$other
fi

# (a pipe forgets that its first command failed)
unpack() {
  { eval "$by \"\$1\"" || echo failed >"$new/failed"; } |
    tar -C "$new/unpacked" -xf - && [ ! -e "$new/failed" ]
}

if [ "$archive" ]; then
  if ! get "$archive"; then
    case $archive in http://* | https://*) why="$archive, or its .sha256, could not be fetched" ;; *) why="there is no file $archive" ;; esac
    die "${missing:-$why}"
  fi
  if [ -f "$file.sha256" ]; then
    [ "$(sha256sum <"$file" | cut -d' ' -f1)" \
      = "$(cut -d' ' -f1 <"$file.sha256")" ] ||
      die "$archive is damaged: its SHA-256 is another one; fetch it again"
  fi
  mkdir "$new/unpacked"
  unpack "$file" 2>/dev/null || die "$archive could not be unpacked"
  set -- "$new/unpacked"/*
else
  set -- "$(cd "$(dirname "$0")" && pwd)"
fi
if [ $# != 1 ] || [ ! -f "$1/bin/mettle" ] || [ ! -f "$1/share/doc/mettle/needs.txt" ]; then die "${archive:-$1} is no bundle of Mettle"; fi
bundle=$1

# "Linux, x86_64"
read -r _ machine <"$bundle/share/doc/mettle/needs.txt"
[ "$(uname -s)" = Linux ] || die "bundles are for Linux"
[ "$(uname -m)" = "$machine" ] || die "this bundle is for $machine, and this machine is $(uname -m)"

if [ "$archive" ]; then
  mv "$bundle" "$new/bundle"
else
  cp -R "$bundle" "$new/bundle"
fi
version=$("$new/bundle/bin/mettle" --version 2>/dev/null) ||
  die "it does not run here; nothing was changed"
rm -rf "$home.old"
[ ! -d "$home" ] || mv "$home" "$home.old"
mv "$new/bundle" "$home"
rm -rf "$home.old"
[ -h "$link" ] || ln -s "$to" "$link"
say "$version is installed: $link"
case :$PATH: in *:"$prefix/bin":*) ;; *) say "$prefix/bin is not in PATH: add it, or call $link" ;; esac
