; A group of 8 x 8 threads is eight rows of the grid; a piece of one row is
; better, where rows are long.
; RUN: choose-rows,emit --group 8,8 --long-rows
; CHECK: define internal i32 @mt_region(
; CHECK-NOT: load <8 x float>
; CHECK: load <32 x float>
; RUN SHORT: choose-rows,emit --group 8,8
; SHORT: load <8 x float>
; SHORT-NOT: load <32 x float>
; Not where a kernel can tell in which group its threads are.
; RUN TELLS: choose-rows,emit --group 8,8 --long-rows --kernel tells
; TELLS-NOT: load <32 x float>
define void @k(ptr %a, ptr %b, <2 x i32> %thread_position_in_grid) {
  %x = extractelement <2 x i32> %thread_position_in_grid, i64 0
  %y = extractelement <2 x i32> %thread_position_in_grid, i64 1
  %row = mul i32 %y, 4096
  %i = add i32 %row, %x
  %p = getelementptr float, ptr %a, i32 %i
  %q = getelementptr float, ptr %b, i32 %i
  %v = load float, ptr %p
  store float %v, ptr %q
  ret void
}
define void @tells(ptr %a, ptr %b, <2 x i32> %thread_position_in_grid, i32 %thread_index_in_threadgroup) {
  %x = extractelement <2 x i32> %thread_position_in_grid, i64 0
  %y = extractelement <2 x i32> %thread_position_in_grid, i64 1
  %row = mul i32 %y, 4096
  %i = add i32 %row, %x
  %p = getelementptr float, ptr %a, i32 %i
  %q = getelementptr i32, ptr %b, i32 %i
  %v = load float, ptr %p
  store float %v, ptr %p
  store i32 %thread_index_in_threadgroup, ptr %q
  ret void
}
