#!/bin/bash
# test_opt.sh - mettle opt as a person types it: files, standard input, bitcode,
# and a sentence for whatever is wrong with the words or the text.
#
# Guards: repl/commands/opt.c, devices/opt/{opt, unit, prepare}.c: .ll and .bc,
# a pipe, several passes, the list; wrong options, texts that LLVM refuses or
# does not survive
set -u
METTLE=${METTLE:-$PWD/build/mettle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD
cd "$work" || exit 1
count=0
# ok NAME STATUS
ok() {
  count=$((count + 1))
  if [ "$2" = 0 ]; then echo "ok $count - $1"; else
    echo "not ok $count - $1"; sed 's/^/# /' out err
  fi
}
run() { "$METTLE" opt "$@" >out 2>err </dev/null; status=$?; }
says() { grep -qF -- "$1" out; }
# one sentence on standard error, with these words, and the exit status
complains() {
  [ "$status" = "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err
}

run --list
if [ "$status" != 0 ] && grep -q LLVM err; then
  echo "ok 1 - mettle opt # SKIP this build has no LLVM"; echo 1..1; exit 0
fi
says "  guard-integers " && says "  trip-counts "
ok "the list has passes and questions" $?

cat >k.ll <<'LL'
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %d = udiv i32 %i, %thread_position_in_grid
  store volatile i32 %d, ptr %out
  %c = icmp ult i32 %n, 17
  br i1 %c, label %loop, label %done
done:
  ret void
}
LL
run guard-integers k.ll
[ "$status" = 0 ] && says "icmp eq i32 %thread_position_in_grid, 0"
ok "the IR after a pass" $?
run trip-counts k.ll
[ "$status" = 0 ] &&
  [ "$(cat out)" = "loop %loop left from %loop: 17 iterations" ]
ok "the answer to a question, and no IR" $?
run guard-integers,trip-counts,uses k.ll
[ "$status" = 0 ] && says "17 iterations" && says "%out: written"
ok "several by commas" $?
"$METTLE" opt trip-counts <k.ll >out 2>err && says "17 iterations"
ok "standard input" $?
"$METTLE" opt trip-counts - <k.ll >out 2>err && says "17 iterations"
ok "standard input by its name" $?
rm -f k.bc
for as in /usr/lib/llvm-*/bin/llvm-as llvm-as; do
  rm -f k.bc
  "$as" k.ll -o k.bc 2>/dev/null && "$METTLE" opt uses k.bc >out 2>err &&
    break
done
if [ -s k.bc ]; then
  run trip-counts k.bc
  [ "$status" = 0 ] && says "17 iterations"; ok "bitcode" $?
else
  count=$((count + 1)); echo "ok $count - bitcode # SKIP there is no llvm-as"
fi
printf 'kernel void k(device int *out, uint i [[thread_position_in_grid]]) { out[i] = 1; }' >k.metal
"$METTLE" compile --emit-llvm k.metal 2>err | "$METTLE" opt prepare >out 2>>err
[ "${PIPESTATUS[1]}" = 0 ] && says "store i32 1"
ok "what mettle compile --emit-llvm prints" $?
run affine --group 16,16 --target x86_64-linux-gnu,x86-64-v2 k.ll
[ "$status" = 0 ]; ok "options after the pass" $?

run
complains 2 "no pass given"; ok "no pass" $?
run nothing k.ll
complains 1 "there is no pass or question 'nothing'"; ok "an unknown pass" $?
run trip-counts nowhere.ll
complains 2 "nowhere.ll"; ok "a file that is not there" $?
run trip-counts k.ll k.ll
complains 2 "one file, please"; ok "two files" $?
run trip-counts --fast k.ll
complains 2 "unknown option --fast"; ok "an unknown option" $?
run trip-counts k.ll --group
complains 2 "--group needs something after it"
ok "an option without its value" $?
for g in 0 16x16 1,2,3,4 2000 -1 ""; do
  run trip-counts k.ll --group "$g"
  complains 2 "--group takes up to 1024 threads"; ok "--group '$g'" $?
done
run trip-counts --kernel other k.ll
complains 1 "there is no function 'other'"; ok "a kernel that is not there" $?
run trip-counts --target nonsense k.ll
complains 1 "LLVM"; ok "a target that is none" $?
echo "this is no IR" >text.ll
run trip-counts text.ll
complains 1 "text.ll:1:1: error:"; ok "a text that is no IR" $?
: >empty.ll
run trip-counts empty.ll
complains 1 "empty.ll: there is no function with a body"; ok "an empty text" $?
head -c 300 /dev/urandom >noise.bc
run trip-counts noise.bc
[ "$status" = 1 ] && [ "$(wc -l <err)" -ge 1 ]; ok "noise" $?
{ printf 'BC\300\336'; head -c 300 /dev/zero; } >short.bc
run trip-counts short.bc
[ "$status" = 1 ] && [ -s err ]; ok "bitcode that is none" $?
printf 'define void @k() {\n  %%x = add i32 %%y, 1\n  %%y = add i32 %%x, 1\n  ret void\n}\n' >bad.ll
run trip-counts bad.ll
complains 1 "LLVM's verifier refuses this: Instruction does not dominate all uses"
ok "a text that the verifier refuses" $?
printf 'define void @k(ptr %%p) {\n  call void %%p()\n  ret void\n}\n' >call.ll
run inspect call.ll
complains 1 "calls a function through a pointer"; ok "a pass that refuses" $?
run vectorise k.ll
[ "$status" = 0 ] && says "define void @mt_spmd_group"
ok "a kernel as vectors" $?
cd "$here" || exit 1
echo "1..$count"
