; Every call is inlined, and what is not called any more is gone.
; RUN: internalise,choose-calls,inline-calls
; CHECK: define void @k(
; CHECK: fadd
; CHECK-NOT: call float
; CHECK-NOT: @f
; CHECK-NOT: @unused
define void @k(ptr %out) {
  %x = load float, ptr %out
  %y = call float @f(float %x)
  store float %y, ptr %out
  ret void
}
define float @f(float %x) noinline {
  %y = fadd float %x, 1.0
  ret float %y
}
define float @unused(float %x) {
  ret float %x
}
