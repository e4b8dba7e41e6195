; A kernel whose threads wait for each other has no functions that stay.
; RUN: inspect,refuse-waits
; CHECK: define void @k(
; RUN ALONE: refuse-waits
; ALONE: define void @k(
define void @k(ptr %out) {
  store i32 1, ptr %out
  ret void
}
