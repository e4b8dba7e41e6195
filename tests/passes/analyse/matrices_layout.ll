; Matrices of straight code and of element-wise operations; what each lane has of
; its own, or differs in its two parts, is none by which rows can be scaled.
; RUN: matrices --group 32
; CHECK: %m0: row by row
; CHECK-NEXT: %scaled: row by row
; CHECK-NEXT: %twice: row by row
; CHECK-NEXT: %half: row by row
; CHECK-NEXT: %shifted: row by row
; CHECK-NEXT: %chosen: row by row
; CHECK-NEXT: %product: row by row
; CHECK-NOT: %crossed
; RUN UNMADE: matrices --group 32 --kernel unmade
; UNMADE-NOT: row by row
declare <2 x float> @__mt_matrix_load_f32(ptr, i64, i1)
declare void @__mt_matrix_store_f32(<2 x float>, ptr, i64, i1)
declare <2 x float> @__mt_matrix_multiply_add(<2 x float>, <2 x float>, <2 x float>)
define void @k(ptr %a, ptr %b, ptr "constant" %in, i32 %thread_index_in_simdgroup) {
  %n = load float, ptr %in
  %u = load <2 x float>, ptr %in
  %p = getelementptr float, ptr %b, i32 %thread_index_in_simdgroup
  %x = load float, ptr %p
  %n0 = insertelement <2 x float> undef, float %n, i32 0
  %nn = shufflevector <2 x float> %n0, <2 x float> undef, <2 x i32> zeroinitializer
  %x0 = insertelement <2 x float> undef, float %x, i32 0
  %xx = shufflevector <2 x float> %x0, <2 x float> undef, <2 x i32> zeroinitializer
  %same = shufflevector <2 x float> %u, <2 x float> undef, <2 x i32> <i32 1, i32 1>
  %swap = shufflevector <2 x float> %u, <2 x float> undef, <2 x i32> <i32 1, i32 0>
  %c = fcmp ogt float %n, 1.0
  %d = fcmp ogt float %x, 1.0
  %m0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %scaled = fmul <2 x float> %m0, %nn
  %twice = fadd <2 x float> %scaled, %m0
  %half = fmul <2 x float> %twice, <float 0.5, float 0.5>
  %shifted = fadd <2 x float> %half, %same
  %chosen = select i1 %c, <2 x float> %shifted, <2 x float> %scaled
  call void @__mt_matrix_store_f32(<2 x float> %chosen, ptr %b, i64 8, i1 false)
  %m1 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %own = fmul <2 x float> %m1, %xx
  call void @__mt_matrix_store_f32(<2 x float> %own, ptr %b, i64 8, i1 false)
  %m2 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %crossed = fmul <2 x float> %m2, %swap
  call void @__mt_matrix_store_f32(<2 x float> %crossed, ptr %b, i64 8, i1 false)
  %m3 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %uneven = fmul <2 x float> %m3, <float 1.0, float 2.0>
  call void @__mt_matrix_store_f32(<2 x float> %uneven, ptr %b, i64 8, i1 false)
  %m4 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %element = extractelement <2 x float> %m4, i32 0
  store float %element, ptr %p
  %m5 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %m6 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 8, i1 false)
  %either = select i1 %d, <2 x float> %m5, <2 x float> %m6
  call void @__mt_matrix_store_f32(<2 x float> %either, ptr %b, i64 8, i1 false)
  %product = call <2 x float> @__mt_matrix_multiply_add(<2 x float> %m0, <2 x float> %scaled, <2 x float> %half)
  call void @__mt_matrix_store_f32(<2 x float> %product, ptr %b, i64 8, i1 false)
  ret void
}
define void @unmade(ptr %a, ptr "constant" %in) {
  %u = load <2 x float>, ptr %in
  %sum = fadd <2 x float> %u, <float 1.0, float 1.0>
  %more = fmul <2 x float> %sum, %sum
  store <2 x float> %more, ptr %a
  ret void
}
