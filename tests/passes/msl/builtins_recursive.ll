; A function that calls itself is not inlined, and is still there to be refused:
; what it would grow to has no end.
; RUN: builtins
; CHECK: define void @k(
; CHECK: store i32 %thread_position_in_grid, ptr %1
; CHECK: call i32 @f(
; CHECK: define internal i32 @f(
; CHECK: load i32, ptr @gid
; CHECK-NOT: error:
@gid = internal global i32 0, section ".msl.builtin", align 4
define void @k(ptr %out, i32 %thread_position_in_grid) {
  store i32 %thread_position_in_grid, ptr @gid
  %x = call i32 @f(i32 3)
  store i32 %x, ptr %out
  ret void
}
define internal i32 @f(i32 %n) {
entry:
  %g = load i32, ptr @gid
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %on
end:
  ret i32 %g
on:
  %m = sub i32 %n, 1
  %x = call i32 @f(i32 %m)
  %s = xor i32 %x, %g
  ret i32 %s
}
