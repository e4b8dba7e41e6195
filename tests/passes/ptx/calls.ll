; A cross-lane call gets the lanes that run it; the body has three parameters
; more: cells, a message and the SIMD-group's lanes.
; RUN: ptx-threadgroup,ptx-calls
; CHECK: define internal void @mettle_body(ptr %0, i32 %1, ptr %2, ptr %3, i32 %4)
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK-NEXT: call i32 @__mt_simd_sum_u32_by(i32 %1, i32 %4)
declare i32 @__mt_simd_sum_u32(i32)
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %s = call i32 @__mt_simd_sum_u32(i32 %thread_position_in_grid)
  store i32 %s, ptr %out
  ret void
}
