; Only a device with builtins of its own takes the library's place; here none
; does.
; RUN: own-functions
; CHECK: call float @_ZN5metal4__mt10exp_scaledEfi(float %x, i32 0)
define internal float @_ZN5metal4__mt10exp_scaledEfi(float %x, i32 %k) {
  ret float %x
}
define void @k(ptr %out, float %x) {
  %y = call float @_ZN5metal4__mt10exp_scaledEfi(float %x, i32 0)
  store float %y, ptr %out
  ret void
}
