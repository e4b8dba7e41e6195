; Products of two rows of sums that take turns: all of the first row come before
; those of the second.
; RUN: order-products
; CHECK: %s00_0 = call
; CHECK: %s01_0 = call
; CHECK: %s00_1 = call
; CHECK: %s01_1 = call
; CHECK: %1 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a01, <2 x float> %b00
; CHECK-NEXT: %2 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a01, <2 x float> %b01
; CHECK-NEXT: %3 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a11, <2 x float> %b10, <2 x float> %1)
; CHECK-NEXT: %4 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a11, <2 x float> %b11, <2 x float> %2)
declare <2 x float> @__mt_matrix_load_f32(ptr, i64, i1)
declare void @__mt_matrix_store_f32(<2 x float>, ptr, i64, i1)
declare <2 x float> @__mt_matrix_multiply_add(<2 x float>, <2 x float>, <2 x float>)
define void @k(ptr %a, ptr %b, ptr %c) {
  %pb00 = getelementptr float, ptr %b, i64 0
  %b00 = call <2 x float> @__mt_matrix_load_f32(ptr %pb00, i64 64, i1 false)
  %pb01 = getelementptr float, ptr %b, i64 8
  %b01 = call <2 x float> @__mt_matrix_load_f32(ptr %pb01, i64 64, i1 false)
  %pa00 = getelementptr float, ptr %a, i64 0
  %a00 = call <2 x float> @__mt_matrix_load_f32(ptr %pa00, i64 64, i1 false)
  %s00_0 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a00, <2 x float> %b00, <2 x float> zeroinitializer)
  %s01_0 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a00, <2 x float> %b01, <2 x float> zeroinitializer)
  %pa01 = getelementptr float, ptr %a, i64 512
  %a01 = call <2 x float> @__mt_matrix_load_f32(ptr %pa01, i64 64, i1 false)
  %s10_0 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a01, <2 x float> %b00, <2 x float> zeroinitializer)
  %s11_0 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a01, <2 x float> %b01, <2 x float> zeroinitializer)
  %pb10 = getelementptr float, ptr %b, i64 512
  %b10 = call <2 x float> @__mt_matrix_load_f32(ptr %pb10, i64 64, i1 false)
  %pb11 = getelementptr float, ptr %b, i64 520
  %b11 = call <2 x float> @__mt_matrix_load_f32(ptr %pb11, i64 64, i1 false)
  %pa10 = getelementptr float, ptr %a, i64 8
  %a10 = call <2 x float> @__mt_matrix_load_f32(ptr %pa10, i64 64, i1 false)
  %s00_1 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a10, <2 x float> %b10, <2 x float> %s00_0)
  %s01_1 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a10, <2 x float> %b11, <2 x float> %s01_0)
  %pa11 = getelementptr float, ptr %a, i64 520
  %a11 = call <2 x float> @__mt_matrix_load_f32(ptr %pa11, i64 64, i1 false)
  %s10_1 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a11, <2 x float> %b10, <2 x float> %s10_0)
  %s11_1 = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %a11, <2 x float> %b11, <2 x float> %s11_0)
  %c00 = getelementptr float, ptr %c, i64 0
  call void @__mt_matrix_store_f32(<2 x float> %s00_1, ptr %c00, i64 64, i1 false)
  %c01 = getelementptr float, ptr %c, i64 8
  call void @__mt_matrix_store_f32(<2 x float> %s01_1, ptr %c01, i64 64, i1 false)
  %c10 = getelementptr float, ptr %c, i64 512
  call void @__mt_matrix_store_f32(<2 x float> %s10_1, ptr %c10, i64 64, i1 false)
  %c11 = getelementptr float, ptr %c, i64 520
  call void @__mt_matrix_store_f32(<2 x float> %s11_1, ptr %c11, i64 64, i1 false)
  ret void
}
