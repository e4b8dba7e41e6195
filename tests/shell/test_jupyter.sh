#!/bin/bash
# test_jupyter.sh - mettle jupyter install and uninstall: where the kernelspec
# lies, what stands in it, who can read it; what is said of mistakes.
#
# Guards: repl/commands/jupyter.c: mettle jupyter install and uninstall: where
# the kernelspec lies, what stands in it, what is said of mistakes
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mettle=${METTLE:-build/mettle}
number=0
ok() { # what status
  number=$((number + 1))
  if [ "$2" = 0 ]; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"; sed 's/^/# /' "$work/out"
  fi
}
says() { grep -qF -- "$1" "$work/out"; }
run() {
  env -u JUPYTER_DATA_DIR -u XDG_DATA_HOME -u VIRTUAL_ENV \
    -u CONDA_PREFIX HOME="$work/home" "$@" >"$work/out" 2>&1
}
folder() { stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1"; }

if ! run "$mettle" jupyter; then
  says "Jupyter needs ZeroMQ"; ok "a build without ZeroMQ says what to install" $?
  echo "1..$number"; exit
fi
umask 022
mkdir "$work/home"
case $(uname) in
  Darwin) user=$work/home/Library/Jupyter ;;
  *) user=$work/home/.local/share/jupyter ;;
esac
run "$mettle" jupyter install; ok "install" $?
[ -f "$user/kernels/mettle/kernel.json" ] && [ -f "$user/kernels/mettle/logo-svg.svg" ]; ok "for the user, where Jupyter looks" $?
cp "$user/kernels/mettle/kernel.json" "$work/out"
says '{connection_file}' && says "mettle\"" && says '"interrupt_mode":' ; ok "with the program and the file" $?
program=$(sed -n 's/.*"argv":[^"]*"\([^"]*\)".*/\1/p' "$work/out")
[ -x "$program" ]; ok "which is there" $?
run "$mettle" jupyter install; ok "a second time" $?
[ -f "$user/labextensions/mettle-msl/static/msl.js" ] && [ -f "$user/nbconvert/templates/mettle/index.html.j2" ]; ok "with MSL's colours" $?
run "$mettle" jupyter install --sandbox --time-limit 9 && says "mettle-sandbox"
ok "a sandbox beside it" $?
tr -d '\n\t ' <"$user/kernels/mettle-sandbox/kernel.json" >"$work/out"
says '"{connection_file}","--sandbox","--time-limit","9"'; ok "with its limit" $?
! run "$mettle" jupyter install --time-limit 9 && says "goes with --sandbox"; ok "which is for it alone" $?
! run "$mettle" jupyter install --sandbox --time-limit soon && says "is a number of seconds"; ok "and a number" $?
run "$mettle" jupyter uninstall && [ ! -e "$user/kernels/mettle" ] && [ -e "$user/labextensions/mettle-msl" ]; ok "uninstall" $?
run "$mettle" jupyter uninstall --sandbox && [ ! -e "$user/kernels/mettle-sandbox" ] && [ ! -e "$user/labextensions/mettle-msl" ]
ok "the colours go with the last of them" $?
! run "$mettle" jupyter uninstall && says "there is no kernel at"; ok "which is said if there is none" $?

run "$mettle" jupyter install --prefix "$work/a b"
[ -f "$work/a b/share/jupyter/kernels/mettle/kernel.json" ]; ok "in a prefix" $?
[ "$(folder "$work/a b/share/jupyter/kernels/mettle")" = 755 ] &&
  [ "$(folder "$work/a b/share")" = 755 ]
ok "that others can read" $?
run env VIRTUAL_ENV="$work/venv" "$mettle" jupyter install --sys-prefix
[ -f "$work/venv/share/jupyter/kernels/mettle/kernel.json" ]; ok "in a Python environment" $?
run env JUPYTER_DATA_DIR="$work/data" "$mettle" jupyter install --user
[ -f "$work/data/kernels/mettle/kernel.json" ]; ok "where Jupyter's own variable says" $?

! run "$mettle" jupyter install --sys-prefix && says "no Python environment is active"; ok "no environment" $?
! run "$mettle" jupyter install --frob && says "'--frob' is not known"; ok "an unknown option" $?
touch "$work/file"
! run "$mettle" jupyter install --prefix "$work/file" && says "$work/file"; ok "a prefix that is a file" $?
! run "$mettle" jupyter --connection "$work/none.json" && says none.json
ok "no connection file" $?
! run "$mettle" jupyter frob && says "usage: mettle jupyter"; ok "an unknown word" $?
echo "1..$number"
