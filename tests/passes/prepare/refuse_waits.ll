; A kernel whose threads wait for each other has no functions that stay.
; RUN: inspect,refuse-waits
; CHECK: error: threads wait in a function
; It is inspect that tells.
; RUN ALONE: refuse-waits
; ALONE: define void @k(
; One whose threads do not may have them.
; RUN FREE: inspect,refuse-waits --kernel free
; FREE: define void @free(
; FREE-NOT: error
declare void @__mt_barrier_threadgroup(i32)
define void @k(ptr %out) {
  call void @__mt_barrier_threadgroup(i32 2)
  store i32 1, ptr %out
  ret void
}
define void @free(ptr %out) {
  store i32 1, ptr %out
  ret void
}
