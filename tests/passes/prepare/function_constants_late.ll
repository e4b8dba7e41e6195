; A variable that is computed from a function constant without a value has none
; either.
; RUN: function-constants
; CHECK: @late = external
; CHECK: global i32, section ".msl.constant.3"
; CHECK: define void @k(
@c = external constant i32, section ".msl.constant.3"
@late = internal global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start.late, ptr null }]
define internal void @start.late() {
  %x = load i32, ptr @c
  %y = mul i32 %x, 3
  store i32 %y, ptr @late
  ret void
}
define void @k(ptr %out) {
  %v = load i32, ptr @late
  store i32 %v, ptr %out
  ret void
}
