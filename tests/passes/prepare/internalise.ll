; All but the kernel is internal and shall be inlined, whatever Clang said.
; RUN: internalise --kernel k
; CHECK: define internal float @f(float %x) #0
; CHECK: define void @k(
; CHECK: attributes #0 = { alwaysinline }
; CHECK-NOT: noinline
; CHECK-NOT: linkonce_odr
define linkonce_odr float @f(float %x) #0 {
  ret float %x
}
define void @k(ptr %out) {
  %x = call float @f(float 1.0)
  store float %x, ptr %out
  ret void
}
attributes #0 = { noinline }
