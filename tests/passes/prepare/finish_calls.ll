; A function that stays one ends where its code is unreachable only in kernels
; that are enormous; in others it is inlined.
; RUN: finish-calls
; CHECK: define internal i32 @f(
; CHECK: unreachable
define void @k(ptr %out) {
  %y = call i32 @f(i32 5)
  store i32 %y, ptr %out
  ret void
}
define internal i32 @f(i32 %x) {
  unreachable
}
