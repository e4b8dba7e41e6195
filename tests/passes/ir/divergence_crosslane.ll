; The sum of a SIMD-group is the same in all of its lanes; a quad-group's is not,
; nor is what each lane gets of a prefix sum.
; RUN: divergence
; CHECK: %s: same
; CHECK-NEXT: %q: varies
; CHECK-NEXT: %p: varies
define void @k(i32 %thread_position_in_grid) {
  %s = call i32 @__mt_simd_sum_u32(i32 %thread_position_in_grid)
  %q = call i32 @__mt_quad_sum_u32(i32 %thread_position_in_grid)
  %p = call i32 @__mt_simd_prefix_exclusive_sum_u32(i32 %thread_position_in_grid)
  ret void
}
declare i32 @__mt_simd_sum_u32(i32)
declare i32 @__mt_quad_sum_u32(i32)
declare i32 @__mt_simd_prefix_exclusive_sum_u32(i32)
