; Functions of Metal's library are simplified alone: the checker is to see the
; kernel's own variables and branches, not theirs.
; RUN: simplify-library
; CHECK: define void @k(
; CHECK: alloca float
; CHECK: define internal float @_ZN5metal3absEf(
; CHECK-NEXT: fneg
; CHECK-COUNT: 1 alloca
define void @k(ptr %out, float %x) {
  %v = alloca float
  store float %x, ptr %v
  %y = load float, ptr %v
  %z = call float @_ZN5metal3absEf(float %y)
  store float %z, ptr %out
  ret void
}
define internal float @_ZN5metal3absEf(float %x) {
  %v = alloca float
  store float %x, ptr %v
  %y = load float, ptr %v
  %n = fneg float %y
  ret float %n
}
