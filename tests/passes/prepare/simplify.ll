; Variables are in registers, what is computed twice is computed once, and loops
; are tested at their end.
; RUN: simplify
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK-COUNT: 1 = mul
; CHECK: br i1 %
; CHECK-COUNT: 2 br i1
define void @k(ptr %out, i32 %n) {
entry:
  %v = alloca i32
  store i32 0, ptr %v
  br label %head
head:
  %i = load i32, ptr %v
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %p = getelementptr i32, ptr %out, i32 %i
  %a = mul i32 %n, %n
  %b = mul i32 %n, %n
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  %j = add i32 %i, 1
  store i32 %j, ptr %v
  br label %head
done:
  ret void
}
