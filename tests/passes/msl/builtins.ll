; A position at program scope is a variable of the kernel, in the functions that
; it calls too: these are inlined.
; RUN: builtins
; CHECK: define void @k(
; CHECK: alloca i32
; CHECK: store i32 %thread_position_in_grid, ptr %1
; CHECK: load i32, ptr %1
; CHECK-NOT: call i32 @f(
; CHECK-NOT: store i32 %thread_position_in_grid, ptr @gid
@gid = internal global i32 0, section ".msl.builtin", align 4
define void @k(ptr %out, i32 %thread_position_in_grid) {
  store i32 %thread_position_in_grid, ptr @gid
  %x = call i32 @f()
  store i32 %x, ptr %out
  ret void
}
define internal i32 @f() {
  %x = load i32, ptr @gid
  ret i32 %x
}
