; Matrices of products are kept row by row; where a register holds sixteen floats
; two sums of a loop with the same left factor are a pair.
; RUN: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4
; CHECK: %s00: row by row, first of a pair with %s01
; CHECK-NEXT: %s01: row by row, second of a pair with %s00
; CHECK-NEXT: %s02: row by row
; CHECK: %t00: row by row, first of a pair with %t01
; CHECK: %u00: row by row, first of a pair with %u01
; CHECK-NEXT: %u01: row by row, second of a pair with %u00
; RUN NARROW: matrices --group 32 --target x86_64-linux-gnu,x86-64-v3
; NARROW: %s00: row by row
; NARROW-NOT: pair
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
  %pa = getelementptr float, ptr %a, i64 %i
  %ri = shl i64 %i, 6
  %pb = getelementptr float, ptr %b, i64 %ri
  %pb0 = getelementptr float, ptr %pb, i64 0
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %pb0, i64 64, i1 false)
  %pb1 = getelementptr float, ptr %pb, i64 8
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %pb1, i64 64, i1 false)
  %pb2 = getelementptr float, ptr %pb, i64 16
  %b2 = call <2 x float> @__mt_matrix_load_f32(ptr %pb2, i64 64, i1 false)
  %pa0 = getelementptr float, ptr %pa, i64 0
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %pa0, i64 64, i1 false)
  %t00 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s00)
  %t01 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s01)
  %t02 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b2, <2 x float> %s02)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  %u00 = phi <2 x float> [ %t00, %loop ]
  %u01 = phi <2 x float> [ %t01, %loop ]
  %u02 = phi <2 x float> [ %t02, %loop ]
  %c00 = getelementptr float, ptr %c, i64 0
  call void @__mt_matrix_store_f32(<2 x float> %u00, ptr %c00, i64 64, i1 false)
  %c01 = getelementptr float, ptr %c, i64 8
  call void @__mt_matrix_store_f32(<2 x float> %u01, ptr %c01, i64 64, i1 false)
  %c02 = getelementptr float, ptr %c, i64 16
  call void @__mt_matrix_store_f32(<2 x float> %u02, ptr %c02, i64 64, i1 false)
  ret void
}
