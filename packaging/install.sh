#!/bin/sh
# install.sh - puts a bundle of Mettle (docs/bundle.md) where a person's programs
# are, without root.
#
#   sh install.sh [--prefix DIR] [ARCHIVE]   install; DIR is ~/.local unless told
#   sh install.sh [--prefix DIR] --remove    take it away again
#
# ARCHIVE is mettle-VERSION-linux-ARCH.tar.zst or .tar.xz; its .sha256, if it is
# beside it, is compared. Without one the bundle is the folder that this script
# is in. All of it goes to DIR/lib/mettle-bundle, and DIR/bin/mettle is a link to
# its program. The old one is there until the new one has run.
set -eu

say() { printf '%s\n' "$*"; }
die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

prefix=${HOME:-}/.local archive='' remove=''
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || die "--prefix wants a folder"; prefix=$2; shift ;;
    --remove) remove=yes ;;
    -*) die "$1 is not known: sh install.sh [--prefix DIR] [--remove] [ARCHIVE]" ;;
    *) archive=$1 ;;
  esac
  shift
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
home=$prefix/lib/mettle-bundle link=$prefix/bin/mettle to=../lib/mettle-bundle/bin/mettle

# ours: the link to the bundle, or nothing at all
is_ours() { [ "$(readlink "$link" 2>/dev/null)" = "$to" ] || { [ ! -e "$link" ] && [ ! -h "$link" ]; }; }
is_ours || die "$link is there and is not a bundle's: move it away, or choose another --prefix"

if [ "$remove" ]; then
  [ -d "$home" ] || die "there is no bundle in $prefix"
  rm -f "$link"; rm -rf "$home"
  say "Mettle is gone from $prefix; what it kept for you is in ~/.cache/mettle and ~/.local/state/mettle."
  exit 0
fi

# ---------------------------------------------------------------- the new one

mkdir -p "$prefix/lib" "$prefix/bin" || die "$prefix cannot be written: choose another --prefix"
new=$home.new.$$
trap 'rm -rf "$new"' EXIT
mkdir "$new"
if [ "$archive" ]; then
  [ -f "$archive" ] || die "there is no file $archive"
  if [ -f "$archive.sha256" ]; then
    [ "$(sha256sum <"$archive" | cut -d' ' -f1)" = "$(cut -d' ' -f1 <"$archive.sha256")" ] ||
      die "$archive is damaged: its SHA-256 is another one; fetch it again"
  fi
  case $archive in
    *.zst) command -v zstd >/dev/null || die "unpacking needs zstd, which is not here: use the .tar.xz" ;;
    *.xz) command -v xz >/dev/null || die "unpacking needs xz, which is not here: use the .tar.zst" ;;
  esac
  tar -C "$new" -xf "$archive" || die "$archive could not be unpacked"
  set -- "$new"/*
else
  set -- "$(cd "$(dirname "$0")" && pwd)"
fi
if [ $# != 1 ] || [ ! -f "$1/bin/mettle" ] || [ ! -f "$1/share/doc/mettle/needs.txt" ]; then die "${archive:-$1} is no bundle of Mettle"; fi
bundle=$1

# "glibc 2.29 or newer, x86_64"
read -r _ oldest _ _ machine <"$bundle/share/doc/mettle/needs.txt"
[ "$(uname -s)" = Linux ] || die "bundles are for Linux"
[ "$(uname -m)" = "$machine" ] || die "this bundle is for $machine, and this machine is $(uname -m)"
here=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* //')
[ "$here" ] || die "this bundle needs glibc $oldest or newer, and this system has another C library"
if [ "$(printf '%s\n%s\n' "$oldest" "$here" | sort -t. -k1,1n -k2,2n | head -1)" != "$oldest" ]; then
  die "this bundle needs glibc $oldest or newer, and here is $here"
fi

if [ "$archive" ]; then mv "$bundle" "$new/bundle"; else cp -R "$bundle" "$new/bundle"; fi
version=$("$new/bundle/bin/mettle" --version) || die "it does not run here; nothing was changed"
rm -rf "$home.old"
[ ! -d "$home" ] || mv "$home" "$home.old"
mv "$new/bundle" "$home"
rm -rf "$home.old"
[ -h "$link" ] || ln -s "$to" "$link"
say "$version is installed: $link"
case :$PATH: in *:"$prefix/bin":*) ;; *) say "$prefix/bin is not in PATH: add it, or call $link" ;; esac
