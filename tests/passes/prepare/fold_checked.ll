; Constants fold between the probes; no code moves.
; RUN: fold-checked
; CHECK: define void @k(
; CHECK-NEXT: call void @__mt_probe_read(
; CHECK-NEXT: store i32 7, ptr %out
; RUN VERIFIED: verify-checked
; VERIFIED: add i32 3, 4
; RUN ALSO: verify-prepared
; ALSO: add i32 3, 4
declare void @__mt_probe_read(ptr)
define void @k(ptr %out) {
  %x = add i32 3, 4
  call void @__mt_probe_read(ptr %out)
  store i32 %x, ptr %out
  ret void
}
