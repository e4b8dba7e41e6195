; A half stays rounded: its operations lose the flags that regroup and fuse, a
; product that is added in the same expression is fused at once; a float's keep
; theirs.
; RUN: rounding
; CHECK: define void @k(
; CHECK: call half @llvm.fmuladd.f16(half %x, half %y, half %x)
; CHECK: %f = fmul fast float
; CHECK: fptrunc float %f to half
; CHECK-NOT: fmul fast half
; CHECK-NOT: fptrunc fast
define void @k(ptr %out, half %x, half %y, float %a) {
  %p = fmul fast half %x, %y
  %s = fadd fast half %p, %x
  store half %s, ptr %out
  %f = fmul fast float %a, %a
  %t = fptrunc fast float %f to half
  store half %t, ptr %out
  %q = fmul fast half %x, %x
  store half %q, ptr %out
  ret void
}
