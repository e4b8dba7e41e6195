#!/bin/bash
# test_old_tools.sh - tests/macos/old-tools over a git that is played: its trees
# have a configure that is older than configure.in, as git may write them, and a
# parser that yacc makes.
#
# Guards: tests/macos/old-tools over a git that is played: files in any order, a
# system without yacc, what was had stays
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
number=0
ok() {
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    cat "$work/said" "$work"/build/old-tools/*.log 2>/dev/null |
      tail -n 20 | sed 's/^/# /'
  fi
}
mkdir -p "$work/tests/macos" "$work/bin" "$work/trees/gnumake" \
  "$work/trees/awk/src" "$work/trees/bash"
cp tests/macos/old-tools "$work/tests/macos/"
for t in bash cat chmod cp dirname env find ls make mkdir mv rm sed sh tail \
  touch; do
  ln -s "$(type -P "$t")" "$work/bin/$t"
done
tool() { { echo "#!/bin/sh"; cat; } >"$work/bin/$1"; chmod +x "$work/bin/$1"; }

# The trees: a program is a script that says its name.
for name in gnumake bash; do
  cat >"$work/trees/$name/configure" <<'CONFIGURE'
#!/bin/sh
cat >Makefile <<'MAKEFILE'
make bash: configure $(wildcard parse.y:.y=.tab.c)
	if [ -f parse.y ]; then yacc -d parse.y; fi
	echo "echo $@" >$@; chmod +x $@
configure: configure.in
	autoconf
MAKEFILE
CONFIGURE
  chmod +x "$work/trees/$name/configure"
  touch "$work/trees/$name/configure.in" "$work/trees/$name/job.c"
done
touch "$work/trees/bash/parse.y" "$work/trees/awk/src/b.c"
tool git <<GIT
case \$1 in
  init) mkdir -p "\$3" ;;
  fetch) echo "\${5##*/}" >.name; [ ! -e "$work/no-net" ] ;;
  checkout)
    read -r name <.name
    cp -R "$work/trees/\$name/." .
    touch -t 202001010000 configure 2>/dev/null; touch configure.in ;;
esac
GIT
tool cc <<'CC'
while [ "$1" != -o ]; do shift; done
echo "echo awk" >"$2"; chmod +x "$2"
CC

old_tools() {
  PATH=$work/bin CC=cc "$work/bin/bash" "$work/tests/macos/old-tools" \
    >"$work/said" 2>&1
  status=$?
}
has() {
  [ -x "$work/build/old-tools/$1" ] && [ ! -e "$work/build/old-tools/$1.tmp" ]
}

old_tools
[ $status = 77 ] && has make && has awk
ok "make and awk, with a configure that git wrote first" $?
grep -q "bash needs a yacc" "$work/said"; ok "no yacc: said" $?
tool yacc <<<'echo made >y.tab.c'
old_tools
[ $status = 0 ] && has bash; ok "bash, with one" $?
! grep -qE "building (make|awk)" "$work/said"; ok "what was had is not built again" $?
rm -f "$work/build/old-tools/bash"; touch "$work/no-net"
old_tools
[ $status = 77 ] && grep -q "bminor/bash cannot be had here" "$work/said"
ok "no network: said, with the status of what is skipped" $?
echo "1..$number"
