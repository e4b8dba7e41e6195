; The format of a texture that is known is a constant, and the decoders of
; others are not reached.
; RUN: fold-formats
; CHECK: define void @k(
; CHECK: store i32 5, ptr %out
; RUN OTHER: fold-formats --kernel other
; OTHER: define void @other(
; OTHER: store i32 %f, ptr %out
define void @k(ptr "texture"="5" %t, ptr %out) {
  %at = getelementptr i8, ptr %t, i64 24
  %f = load i32, ptr %at
  store i32 %f, ptr %out
  ret void
}
define void @other(ptr "texture" %t, ptr %out) {
  %at = getelementptr i8, ptr %t, i64 24
  %f = load i32, ptr %at
  store i32 %f, ptr %out
  ret void
}
