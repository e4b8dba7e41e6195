#!/bin/sh
# install.sh - read by scripts/deps: what is missing, and what installs it.
#
# One idea: a need has Debian's and Homebrew's names of the packages that answer
# it, and those two managers are called. Other systems' names are in the table
# beside this file, and the command is only shown. A user who can do none of it
# is told of the bundle.
# shellcheck disable=SC2154  # system, room and LLVM's are scripts/deps's

missing=
unnamed=

find_manager() {
  if [ "$system" = Darwin ]; then echo brew; return; fi
  for name in apt-get dnf zypper pacman apk nix-shell; do
    if have "$name"; then echo "$name"; return; fi
  done
  echo none
}
manager=$(find_manager)

or_bundle="; or take a bundle, which needs neither root nor packages nor a network: docs/bundle.md"
[ "$system" != Darwin ] || or_bundle=

# named PACKAGES: this manager's names for Debian's; - is what it has not
named() {
  for package in $1; do
    case $package in # whichever version there is
      clang-[0-9]*) package=clang ;;
      llvm-[0-9]*-dev) package=llvm-dev ;;
      libclang-rt-[0-9]*-dev) package=libclang-rt-dev ;;
      lld-[0-9]*) package=lld ;;
    esac
    found=-
    while read -r debian dnf zypper pacman apk nix; do
      [ "$debian" = "$package" ] || continue
      case $manager in
        dnf) found=$dnf ;;
        zypper) found=$zypper ;;
        pacman) found=$pacman ;;
        apk) found=$apk ;;
        nix-shell) found=$nix ;;
      esac
    done <"$room/names"
    if [ "$found" = - ]; then echo "?$package"; else echo "$found"; fi
  done
}

# need REASON DEBIAN-PACKAGES HOMEBREW-PACKAGES: note what is to be installed
need() {
  case $manager in
    brew) packages=$3 ;;
    apt-get | none) packages=$2 ;;
    *) packages=$(named "$2" | tr '\n' ' ') packages=${packages% } ;;
  esac
  [ -n "$packages" ] || return 0
  say "missing: $packages ($1)"
  for package in $packages; do
    case " $missing $unnamed " in *" $package "*) continue ;; esac
    case $package in
      \?*) unnamed="$unnamed ${package#?}" ;;
      *) missing="$missing $package" ;;
    esac
  done
}

# ---------------------------------------------------------------------- apt

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# (sudo asks for the password here, once, and says why not if not)
root=
can_be_root() {
  if [ -z "$root" ]; then
    root=no
    [ "$(id -u)" != 0 ] && { ! have sudo || ! sudo true; } || root=yes
  fi
  [ $root = yes ]
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@"; }

# On a system that was just made apt may know of no package at all.
knows_packages() { [ -n "$(apt-cache search --names-only '^gcc$')" ]; }

update_lists() {
  if ! can_be_root; then return 0; fi
  say "asking apt which packages there are"
  apt update >build/deps.log 2>&1 || true
}

# What an administrator is to run. Where apt's lists are too old to tell which
# LLVM there is, it is the first one that apt then finds.
for_administrator() {
  case $guessed_llvm in
    '') say "$1 apt-get update && $install" ;;
    *) say "$1 apt-get update && for v in $llvm_versions; do $(echo "$install" | sed "s/-$guessed_llvm/-\$v/g") && break; done" ;;
  esac
  say "then run make again$or_bundle"
}

install_by_apt() {
  install="apt-get install -y --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ] || have sudo; then say "installing:$missing"; fi
  can_be_root || { for_administrator "deps: that takes root, which you do not have here: have an administrator run:"; exit 1; }
  # shellcheck disable=SC2086  # a list of packages
  apt ${install#apt-get } >build/deps.log 2>&1 ||
    { apt update >build/deps.log 2>&1 &&
    apt ${install#apt-get } >>build/deps.log 2>&1; } ||
    { tail -5 build/deps.log >&2; say "deps: apt could not install them; build/deps.log has the whole story$or_bundle"; exit 1; }
}

# ------------------------------------------------------------------- others

install_by_brew() {
  if ! have brew && [ "$for_what" = test ]; then
    say "deps: without Homebrew there is no$missing; the suites that need them are skipped"
    return
  fi
  have brew || { say "deps: Homebrew is needed to install them: https://brew.sh"; exit 1; }
  # shellcheck disable=SC2086
  brew install $missing >&2 ||
    { say "deps: Homebrew could not install them; its own lines above say why; without them: DEPS_FROM=source make run"; exit 1; }
}

# Not tried by us on these: the command is shown, and a person decides.
show_command() {
  case $manager in
    nix-shell) command="nix-shell -p$missing --run 'make run'" ;;
    pacman) command="pacman -S --needed$missing" ;;
    apk) command="apk add$missing" ;;
    *) command="$manager install$missing" ;;
  esac
  [ "$(id -u)" = 0 ] || [ "$manager" = nix-shell ] || command="sudo $command"
  if [ "$manager" = none ]; then
    say "deps: no package manager that Mettle knows is here; the names above are Debian's: install what answers them, then run make again$or_bundle"
  elif [ -n "$missing" ]; then
    say "deps: install them by: $command
then run make again$or_bundle"
  fi
  [ -z "$unnamed" ] ||
    say "deps: no $manager package is known for Debian's$unnamed: install what answers it by hand$or_bundle"
  exit 1
}

install_missing() {
  [ -n "$missing$unnamed" ] || return 0
  case $manager in
    brew) ! have brew || say "installing:$missing"; install_by_brew ;;
    apt-get) install_by_apt ;;
    *) show_command ;;
  esac
  missing=
}
