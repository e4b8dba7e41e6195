; A root that is needed for the quotient alone may be estimated.
; RUN: keep-roots
; CHECK: define void @k(
; CHECK: fdiv fast
declare float @llvm.sqrt.f32(float)
define void @k(ptr %out, float %x, float %y) {
  %r = call fast float @llvm.sqrt.f32(float %x)
  %p = fmul fast float %r, %y
  %q = fdiv fast float %y, %p
  store float %q, ptr %out
  ret void
}
