#!/bin/bash
# test_action.sh - packaging/action/check, as GitHub calls it: files by pattern,
# checks line by line, one SARIF file, how it ends.
#
# Guards: packaging/action/check: files by pattern, checks line by line, one
# SARIF file, each compiled and checked once, how it ends
# shellcheck source=tests/needs.sh
. tests/needs.sh; needs_kernels "the action"
# the action is for GitHub's Linux machines
if [ "${BASH_VERSINFO[0]}" -lt 4 ]; then
  echo "ok 1 - the action # SKIP this bash has no **"; echo "1..1"; exit 0
fi
action=$PWD/packaging/action/check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0
ok() {
  count=$((count + 1)); if [ "$2" = 0 ]; then echo "ok $count - $1"; else echo \
    "not ok $count - $1"; sed 's/^/# /' said; fi
}

mkdir -p "sub/a b"
cat >"sub/a b/good.metal" <<'M'
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = 1; }
M
# act EXPECTED-STATUS EXPECTED-FINDINGS
act() {
  : >output
  GITHUB_OUTPUT=output "$action" >said 2>&1
  [ $? = "$1" ] &&
    { [ -z "$2" ] ||
    { [ "$(cat output)" = "found=$2" ] &&
    [ "$(grep -c '"ruleId"' mettle.sarif)" = "$2" ]; }; }
}

act 0 0; ok "sources in any folder, nothing found" $?
METTLE_CHECKS="'sub/a b/good.metal' --grid 64 --arg a=float[64]" act 0 0; ok "a clean check, with quotes in its line" $?
METTLE_CHECKS="'sub/a b/good.metal' --grid 65 --arg a=float[64]

'sub/a b/good.metal' --grid 66 --arg a=float[64]" act 1 1; ok "the same finding of two checks is one" $?
# each file is compiled once, and each line checked once
printf '#!/bin/bash\necho "$1" >>"%s/ran"\nexec "%s" "$@"\n' "$work" "$METTLE" >"$work/counting" && chmod +x "$work/counting"
METTLE=$work/counting METTLE_CHECKS="'sub/a b/good.metal' --grid 65 --arg a=float[64]" act 1 1
[ "$(grep -cx compile ran)/$(grep -cx check ran)" = 1/1 ]; ok "nothing is compiled or checked twice" $?
METTLE_CHECKS="'sub/a b/good.metal' --grid 64" act 2 0; ok "a check that cannot run" $?
# shellcheck disable=SC2016
METTLE_CHECKS='sub/$(touch evil).metal --grid 64' act 2 0
[ ! -e evil ]; ok "a line is words, not a command" $?
echo 'kernel void k(device float *a) { a[0] = nothing; }' >bad.metal
act 1 1; ok "a source that does not compile" $?
METTLE_FILES='none/*.metal' act 2 ""; ok "no file at all is said" $?
grep -q "no file matches" said; ok "in one sentence" $?
METTLE_FILES='sub/**/*.metal' METTLE_OPTIONS="-D WIDTH=64 -I sub" act 0 0
ok "patterns and options" $?
echo "1..$count"
