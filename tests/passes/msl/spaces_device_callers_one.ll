; One call that gives threadgroup memory is enough to be refused, through two
; functions and in whichever order they are called.
; RUN: spaces
; CHECK: ; error: atomic_float exists in device memory alone, not in threadgroup memory
; CHECK-COUNT: 1 error:
; CHECK: define void @k(
declare void @__mt_device_only(ptr)
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out, i32 %i) {
  call void @outer(i32 %i, ptr %out)
  call void @outer(i32 %i, ptr @tile)
  call void @outer(i32 %i, ptr %out)
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
