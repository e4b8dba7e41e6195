; Device memory that is given through functions is good; so is what nobody
; calls.
; RUN: spaces
; CHECK: define void @k(
; CHECK-NOT: error:
; CHECK-NOT: call void @__mt_device_only(
declare void @__mt_device_only(ptr)
define void @k(ptr %out, i32 %i) {
  %p = getelementptr i32, ptr %out, i32 %i
  call void @outer(i32 %i, ptr %p)
  ret void
}
define internal void @outer(i32 %i, ptr %p) {
  call void @inner(ptr %p)
  ret void
}
define internal void @inner(ptr %p) {
  call void @__mt_device_only(ptr %p)
  ret void
}
define internal void @nobody(ptr %p) {
  call void @__mt_device_only(ptr %p)
  ret void
}
