; Where several quotients have one divisor, a reciprocal serves them all.
; RUN: keep-roots
; CHECK: define void @k(
; CHECK-COUNT: 2 fdiv fast
declare float @llvm.sqrt.f32(float)
define void @k(ptr %out, float %x, float %y) {
  %r = call fast float @llvm.sqrt.f32(float %x)
  %p = fmul fast float %r, %y
  %q = fdiv fast float %y, %p
  %s = fdiv fast float %x, %p
  store float %q, ptr %out
  store float %s, ptr %out
  store float %r, ptr %out
  ret void
}
