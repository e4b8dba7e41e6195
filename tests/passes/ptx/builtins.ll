; A builtin that is called has its body, and no other one is there.
; RUN: ptx-builtins
; CHECK: define
; CHECK: @__mt_simd_sum_u32_by(
; CHECK-NOT: @__mt_simd_product_u32_by(
declare i32 @__mt_simd_sum_u32_by(i32, i32)
define void @k(ptr %out, i32 %x) {
  %s = call i32 @__mt_simd_sum_u32_by(i32 %x, i32 -1)
  store i32 %s, ptr %out
  ret void
}
