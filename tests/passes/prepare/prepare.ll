; All passes in their order: the kernel is flat, its variables are in registers,
; its division is guarded, its loop has the form of prepare.h.
; RUN: prepare
; CHECK: target triple = "x86_64-linux-gnu"
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK-NOT: call i32 @f(
; CHECK: icmp eq i32 %thread_position_in_grid, 0
; CHECK: br i1 %
; CHECK-NOT: define internal
; What cannot run is refused.
; RUN BAD: prepare --kernel bad
; BAD: error: kernel 'bad' calls 'lost', which is declared but has no body
declare void @lost()
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %v = alloca i32
  store i32 0, ptr %v
  br label %head
head:
  %i = load i32, ptr %v
  %c = icmp ult i32 %i, %thread_position_in_grid
  br i1 %c, label %body, label %done
body:
  %d = call i32 @f(i32 %i, i32 %thread_position_in_grid)
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %d, ptr %p
  %j = add i32 %i, 1
  store i32 %j, ptr %v
  br label %head
done:
  ret void
}
define internal i32 @f(i32 %x, i32 %y) {
  %d = udiv i32 %x, %y
  ret i32 %d
}
define void @bad() {
  call void @lost()
  ret void
}
