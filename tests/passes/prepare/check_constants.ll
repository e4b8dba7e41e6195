; A function constant without a value is zero at the end: the kernel was refused
; before if it needed one.
; RUN: check-constants
; CHECK: @c = internal constant i32 0
@c = external constant i32, section ".msl.constant.3"
define void @k(ptr %out) {
  %v = load i32, ptr @c
  store i32 %v, ptr %out
  ret void
}
