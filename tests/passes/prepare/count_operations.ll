; The profiler counts the loads, stores and operations of each block.
; RUN: count-operations
; CHECK: define void @k(
; CHECK-NEXT: call void @__mt_probe_count_block(i32 0)
; CHECK: call void @__mt_probe_count_at(i32 0, ptr %p)
; CHECK-NEXT: %x = load float, ptr %p
; CHECK: call void @__mt_probe_count_at(i32 1, ptr %p)
; CHECK-NEXT: store float %y, ptr %p
; CHECK-COUNT: 1 call void @__mt_probe_count_block(
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %p = getelementptr float, ptr %out, i32 %thread_position_in_grid
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  store float %y, ptr %p
  ret void
}
