; Of a vector in shared memory only the components that are used are loaded.
; RUN: split-vector-loads
; CHECK: define void @k(
; CHECK-NEXT: %1 = getelementptr float, ptr %in, i32 2
; CHECK-NEXT: %2 = load float, ptr %1
; CHECK-COUNT: 1 = load
; CHECK-NOT: load <4 x float>
define void @k(ptr %in, ptr %out) {
  %v = load <4 x float>, ptr %in
  %x = extractelement <4 x float> %v, i32 2
  store float %x, ptr %out
  ret void
}
