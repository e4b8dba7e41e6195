; Beside a square root that is needed anyway a quotient by a product with it
; stays one: LLVM would estimate the reciprocal root.
; RUN: keep-roots
; CHECK: define void @k(
; CHECK: fdiv
; CHECK-NOT: fdiv fast
declare float @llvm.sqrt.f32(float)
define void @k(ptr %out, float %x, float %y) {
  %r = call fast float @llvm.sqrt.f32(float %x)
  %p = fmul fast float %r, %y
  %q = fdiv fast float %y, %p
  store float %q, ptr %out
  store float %r, ptr %out
  ret void
}
