; Code as Clang has it, but for variables in registers and constants: no
; instruction moves, no loop changes.
; RUN: simplify-plain
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK: loop:
; CHECK: %same = mul i32 %n, 3
; CHECK: br i1
; CHECK-NOT: @unused
define void @k(ptr %out, i32 %n) {
entry:
  %v = alloca i32
  store i32 0, ptr %v
  br label %loop
loop:
  %i = load i32, ptr %v
  %same = mul i32 %n, 3
  store i32 %same, ptr %out
  %j = add i32 %i, 1
  store i32 %j, ptr %v
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
define internal void @unused() {
  ret void
}
