; A component that is set in a vector in shared memory is stored alone; in a
; private variable the vector is written as Clang has it.
; RUN: split-vector-stores
; CHECK: define void @k(
; CHECK-NEXT: %1 = getelementptr float, ptr %out, i32 2
; CHECK-NEXT: store float %x, ptr %
; CHECK-NEXT: ret void
define void @k(ptr %out, float %x) {
  %v = load <4 x float>, ptr %out
  %w = insertelement <4 x float> %v, float %x, i32 2
  store <4 x float> %w, ptr %out
  ret void
}
