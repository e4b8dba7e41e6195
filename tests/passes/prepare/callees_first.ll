; Functions of a small kernel are left to inlining.
; RUN: internalise,callees-first
; CHECK: define void @k(
; CHECK: call float @f(
define void @k(ptr %out) {
  %y = call float @f(float 1.0)
  store float %y, ptr %out
  ret void
}
define float @f(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}
