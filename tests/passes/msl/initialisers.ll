; A constant that a function computes at start has its value where it is read,
; and the function is gone.
; RUN: initialisers
; CHECK: define void @k(
; CHECK-NEXT: store i32 12, ptr %out
; CHECK-NOT: @start
@c = internal global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
define internal void @start() {
  %x = call i32 @twice(i32 6)
  store i32 %x, ptr @c
  ret void
}
define internal i32 @twice(i32 %x) {
  %y = mul i32 %x, 2
  ret i32 %y
}
define void @k(ptr %out) {
  %x = load i32, ptr @c
  store i32 %x, ptr %out
  ret void
}
