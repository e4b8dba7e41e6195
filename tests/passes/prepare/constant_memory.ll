; A buffer in constant memory is read only, and no other is.
; RUN: constant-memory
; CHECK: define void @k(ptr noalias readonly "constant" %in, ptr %out)
define void @k(ptr "constant" %in, ptr %out) {
  ret void
}
