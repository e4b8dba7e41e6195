; A loop that adds up twelve matrices needs 24 registers of the 32 for its sums
; as pairs: two loops with a few sums each. On a machine without pairs it stays.
; RUN: split-sums --group 32 --target x86_64-linux-gnu,x86-64-v4
; CHECK: define void @k(
; CHECK: mt.rows
; CHECK-COUNT: 4 br 
; RUN NARROW: split-sums --group 32 --target x86_64-linux-gnu,x86-64-v3
; NARROW: define void @k(
; NARROW-COUNT: 2 br 
declare <2 x float> @__mt_matrix_load_f32(ptr, i64, i1)
declare void @__mt_matrix_store_f32(<2 x float>, ptr, i64, i1)
declare <2 x float> @__mt_matrix_multiply_add(<2 x float>, <2 x float>, <2 x float>)
define void @k(ptr %a, ptr %b, ptr %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s00 = phi <2 x float> [ zeroinitializer, %entry ], [ %t00, %loop ]
  %s01 = phi <2 x float> [ zeroinitializer, %entry ], [ %t01, %loop ]
  %s02 = phi <2 x float> [ zeroinitializer, %entry ], [ %t02, %loop ]
  %s03 = phi <2 x float> [ zeroinitializer, %entry ], [ %t03, %loop ]
  %s10 = phi <2 x float> [ zeroinitializer, %entry ], [ %t10, %loop ]
  %s11 = phi <2 x float> [ zeroinitializer, %entry ], [ %t11, %loop ]
  %s12 = phi <2 x float> [ zeroinitializer, %entry ], [ %t12, %loop ]
  %s13 = phi <2 x float> [ zeroinitializer, %entry ], [ %t13, %loop ]
  %s20 = phi <2 x float> [ zeroinitializer, %entry ], [ %t20, %loop ]
  %s21 = phi <2 x float> [ zeroinitializer, %entry ], [ %t21, %loop ]
  %s22 = phi <2 x float> [ zeroinitializer, %entry ], [ %t22, %loop ]
  %s23 = phi <2 x float> [ zeroinitializer, %entry ], [ %t23, %loop ]
  %pa = getelementptr float, ptr %a, i64 %i
  %ri = shl i64 %i, 6
  %pb = getelementptr float, ptr %b, i64 %ri
  %pb0 = getelementptr float, ptr %pb, i64 0
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %pb0, i64 64, i1 false)
  %pb1 = getelementptr float, ptr %pb, i64 8
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %pb1, i64 64, i1 false)
  %pb2 = getelementptr float, ptr %pb, i64 16
  %b2 = call <2 x float> @__mt_matrix_load_f32(ptr %pb2, i64 64, i1 false)
  %pb3 = getelementptr float, ptr %pb, i64 24
  %b3 = call <2 x float> @__mt_matrix_load_f32(ptr %pb3, i64 64, i1 false)
  %pa0 = getelementptr float, ptr %pa, i64 0
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %pa0, i64 64, i1 false)
  %t00 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s00)
  %t01 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s01)
  %t02 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b2, <2 x float> %s02)
  %t03 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b3, <2 x float> %s03)
  %pa1 = getelementptr float, ptr %pa, i64 512
  %a1 = call <2 x float> @__mt_matrix_load_f32(ptr %pa1, i64 64, i1 false)
  %t10 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a1, <2 x float> %b0, <2 x float> %s10)
  %t11 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a1, <2 x float> %b1, <2 x float> %s11)
  %t12 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a1, <2 x float> %b2, <2 x float> %s12)
  %t13 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a1, <2 x float> %b3, <2 x float> %s13)
  %pa2 = getelementptr float, ptr %pa, i64 1024
  %a2 = call <2 x float> @__mt_matrix_load_f32(ptr %pa2, i64 64, i1 false)
  %t20 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a2, <2 x float> %b0, <2 x float> %s20)
  %t21 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a2, <2 x float> %b1, <2 x float> %s21)
  %t22 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a2, <2 x float> %b2, <2 x float> %s22)
  %t23 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a2, <2 x float> %b3, <2 x float> %s23)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  %u00 = phi <2 x float> [ %t00, %loop ]
  %u01 = phi <2 x float> [ %t01, %loop ]
  %u02 = phi <2 x float> [ %t02, %loop ]
  %u03 = phi <2 x float> [ %t03, %loop ]
  %u10 = phi <2 x float> [ %t10, %loop ]
  %u11 = phi <2 x float> [ %t11, %loop ]
  %u12 = phi <2 x float> [ %t12, %loop ]
  %u13 = phi <2 x float> [ %t13, %loop ]
  %u20 = phi <2 x float> [ %t20, %loop ]
  %u21 = phi <2 x float> [ %t21, %loop ]
  %u22 = phi <2 x float> [ %t22, %loop ]
  %u23 = phi <2 x float> [ %t23, %loop ]
  %c00 = getelementptr float, ptr %c, i64 0
  call void @__mt_matrix_store_f32(<2 x float> %u00, ptr %c00, i64 64, i1 false)
  %c01 = getelementptr float, ptr %c, i64 8
  call void @__mt_matrix_store_f32(<2 x float> %u01, ptr %c01, i64 64, i1 false)
  %c02 = getelementptr float, ptr %c, i64 16
  call void @__mt_matrix_store_f32(<2 x float> %u02, ptr %c02, i64 64, i1 false)
  %c03 = getelementptr float, ptr %c, i64 24
  call void @__mt_matrix_store_f32(<2 x float> %u03, ptr %c03, i64 64, i1 false)
  %c10 = getelementptr float, ptr %c, i64 512
  call void @__mt_matrix_store_f32(<2 x float> %u10, ptr %c10, i64 64, i1 false)
  %c11 = getelementptr float, ptr %c, i64 520
  call void @__mt_matrix_store_f32(<2 x float> %u11, ptr %c11, i64 64, i1 false)
  %c12 = getelementptr float, ptr %c, i64 528
  call void @__mt_matrix_store_f32(<2 x float> %u12, ptr %c12, i64 64, i1 false)
  %c13 = getelementptr float, ptr %c, i64 536
  call void @__mt_matrix_store_f32(<2 x float> %u13, ptr %c13, i64 64, i1 false)
  %c20 = getelementptr float, ptr %c, i64 1024
  call void @__mt_matrix_store_f32(<2 x float> %u20, ptr %c20, i64 64, i1 false)
  %c21 = getelementptr float, ptr %c, i64 1032
  call void @__mt_matrix_store_f32(<2 x float> %u21, ptr %c21, i64 64, i1 false)
  %c22 = getelementptr float, ptr %c, i64 1040
  call void @__mt_matrix_store_f32(<2 x float> %u22, ptr %c22, i64 64, i1 false)
  %c23 = getelementptr float, ptr %c, i64 1048
  call void @__mt_matrix_store_f32(<2 x float> %u23, ptr %c23, i64 64, i1 false)
  ret void
}
