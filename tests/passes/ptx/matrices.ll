; Loads, stores and products of simdgroup matrices are tensor operations.
; RUN: ptx-matrices
; CHECK: %1 = call <2 x float> @__mt_tensor_load_f32(ptr %a, i64 8, i1 false)
; CHECK-NEXT: %2 = call <2 x float> @__mt_tensor_load_right_f32(ptr %b, i64 8, i1 false)
; CHECK-NEXT: %3 = call <4 x float> @__mt_tensor_product_f32(<2 x float> %1, <2 x float> zeroinitializer, <2 x float> %2
; CHECK: call void @__mt_tensor_store_f32(<2 x float> %5, ptr %c
; CHECK-NOT: call <2 x float> @__mt_matrix_multiply_add(
declare <2 x float> @__mt_matrix_load_f32(ptr, i64, i1)
declare void @__mt_matrix_store_f32(<2 x float>, ptr, i64, i1)
declare <2 x float> @__mt_matrix_multiply_add(<2 x float>, <2 x float>, <2 x float>)
define void @k(ptr %a, ptr %b, ptr %c) {
  %x = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %y = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 8, i1 false)
  %s = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %x, <2 x float> %y, <2 x float> zeroinitializer)
  call void @__mt_matrix_store_f32(<2 x float> %s, ptr %c, i64 8, i1 false)
  ret void
}
