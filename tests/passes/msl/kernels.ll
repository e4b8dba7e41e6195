; Without the reader's annotations there is no kernel, and nothing changes.
; RUN: kernels
; CHECK: define void @k(
; CHECK-NEXT: ret void
define void @k(ptr %out) {
  ret void
}
