; One kernel as the function that runs a threadgroup, 32 lanes at a time.
; RUN: vectorise
; CHECK: define internal i32 @mt_region(ptr %0, i32 %1, ptr noalias %2, i1 %3)
; CHECK: load <32 x float>
; CHECK: fmul <32 x float>
; CHECK: store <32 x float>
; CHECK: define void @
; CHECK: call i32 @mt_region(
; CHECK-NOT: gather
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %p = getelementptr float, ptr %out, i32 %thread_position_in_grid
  %x = load float, ptr %p
  %y = fmul float %x, 2.0
  store float %y, ptr %p
  ret void
}
