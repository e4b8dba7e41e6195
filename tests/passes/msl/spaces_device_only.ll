; An atomic_float is in device memory alone.
; RUN: spaces
; CHECK: ; error: atomic_float exists in device memory alone, not in threadgroup memory
; CHECK-NOT: call void @__mt_device_only(
declare void @__mt_device_only(ptr)
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out) {
  call void @__mt_device_only(ptr %out)
  call void @__mt_device_only(ptr @tile)
  ret void
}
