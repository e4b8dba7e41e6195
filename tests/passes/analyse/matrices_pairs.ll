; Two sums are a pair if their products have the same left factor, both lie in one
; loop without barriers and all that they become is a pair, too.
; RUN APART: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel apart
; APART-NOT: pair
; RUN CONSTANT: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel constant
; CONSTANT: %a0: row by row
; CONSTANT-NEXT: %b0: row by row
; CONSTANT-NEXT: %b1: row by row
; CONSTANT-NEXT: %b2: row by row
; CONSTANT-NEXT: %b3: row by row
; CONSTANT-NEXT: %t0: row by row, first of a pair with %t1
; CONSTANT-NEXT: %t1: row by row, second of a pair with %t0
; CONSTANT-NEXT: %t2: row by row
; CONSTANT-NEXT: %t3: row by row
; CONSTANT-NOT: %t2: row by row,
; CONSTANT-NOT: %t3: row by row,
; RUN TAKEN: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel taken
; TAKEN: %s0: row by row, first of a pair with %s1
; TAKEN-NEXT: %s1: row by row, second of a pair with %s0
; TAKEN-NEXT: %s2: row by row
; TAKEN-NEXT: %a0: row by row
; TAKEN-NEXT: %b0: row by row
; TAKEN-NEXT: %b1: row by row
; TAKEN-NEXT: %b2: row by row
; TAKEN-NEXT: %b3: row by row
; TAKEN-NEXT: %t0: row by row, first of a pair with %t1
; TAKEN-NEXT: %t1: row by row, second of a pair with %t0
; TAKEN-NEXT: %t2: row by row
; TAKEN-NEXT: %t3: row by row
; TAKEN-NOT: %s2: row by row,
; TAKEN-NOT: %t2: row by row,
; TAKEN-NOT: %t3: row by row,
; RUN WAITS: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel waits
; WAITS-NOT: pair
; RUN STRAIGHT: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel straight
; STRAIGHT-NOT: pair
; RUN SECOND: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel second
; SECOND: %s0: row by row, first of a pair with %s1
; SECOND-NEXT: %s1: row by row, second of a pair with %s0
; SECOND-NEXT: %a0: row by row
; SECOND-NEXT: %b0: row by row
; SECOND-NEXT: %b1: row by row
; SECOND-NEXT: %t0: row by row, first of a pair with %t1
; SECOND-NEXT: %t1: row by row, second of a pair with %t0
; SECOND-NEXT: %t2: row by row
; SECOND-NEXT: %t3: row by row
; SECOND-NOT: %t2: row by row,
; SECOND-NOT: %t3: row by row,
; RUN NUMBERED: matrices --group 32 --target x86_64-linux-gnu,x86-64-v4 --kernel numbered
; NUMBERED: %s1: row by row, second of a pair with %s0
; NUMBERED-NEXT: %s0: row by row, first of a pair with %s1
; NUMBERED-NEXT: %a0: row by row
; NUMBERED-NEXT: %b0: row by row
; NUMBERED-NEXT: %b1: row by row
; NUMBERED-NEXT: %t0: row by row, first of a pair with %t1
; NUMBERED-NEXT: %t1: row by row, second of a pair with %t0
declare <2 x float> @__mt_matrix_load_f32(ptr, i64, i1)
declare void @__mt_matrix_store_f32(<2 x float>, ptr, i64, i1)
declare <2 x float> @__mt_matrix_multiply_add(<2 x float>, <2 x float>, <2 x float>)
declare void @__mt_barrier_threadgroup(i32)
define void @apart(ptr %a, ptr %b, ptr %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s0 = phi <2 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %s1 = phi <2 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %a1 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s0)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a1, <2 x float> %b1, <2 x float> %s1)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  ret void
}
define void @constant(ptr %a, ptr %b, ptr %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b2 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b3 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> zeroinitializer)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> zeroinitializer)
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  %t2 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b2, <2 x float> <float 1.0, float 2.0>)
  %t3 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b3, <2 x float> <float 1.0, float 2.0>)
  call void @__mt_matrix_store_f32(<2 x float> %t2, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t3, ptr %c, i64 64, i1 false)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @taken(ptr %a, ptr %b, ptr %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s0 = phi <2 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %s1 = phi <2 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %s2 = phi <2 x float> [ zeroinitializer, %entry ], [ %t2, %loop ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b2 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b3 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s0)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s1)
  %t2 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b2, <2 x float> %s2)
  %t3 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b3, <2 x float> %s1)
  call void @__mt_matrix_store_f32(<2 x float> %t3, ptr %c, i64 64, i1 false)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t2, ptr %c, i64 64, i1 false)
  ret void
}
define void @waits(ptr %a, ptr %b, ptr %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s0 = phi <2 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %s1 = phi <2 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s0)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s1)
  call void @__mt_barrier_threadgroup(i32 1)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  ret void
}
define void @straight(ptr %a, ptr %b, ptr %c) {
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> zeroinitializer)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> zeroinitializer)
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  ret void
}
define void @second(ptr %a, ptr %b, ptr %c, ptr "constant" %in) {
entry:
  %n = load i64, ptr %in
  br label %first
first:
  %h = phi i64 [ 0, %entry ], [ %h2, %first ]
  store i64 %h, ptr %c
  %h2 = add nuw nsw i64 %h, 1
  %again = icmp ult i64 %h2, 9
  br i1 %again, label %first, label %loop
loop:
  %i = phi i64 [ 0, %first ], [ %j, %next ]
  %s0 = phi <2 x float> [ zeroinitializer, %first ], [ %t0, %next ]
  %s1 = phi <2 x float> [ zeroinitializer, %first ], [ %t1, %next ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr %a, i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr %b, i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s0)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s1)
  %odd = icmp ult i64 %n, %i
  br i1 %odd, label %then, label %next
then:
  %t2 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> zeroinitializer)
  call void @__mt_matrix_store_f32(<2 x float> %t2, ptr %c, i64 64, i1 false)
  br label %next
next:
  %t3 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> zeroinitializer)
  call void @__mt_matrix_store_f32(<2 x float> %t3, ptr %c, i64 64, i1 false)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr %c, i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr %c, i64 64, i1 false)
  ret void
}
define void @numbered() {
entry:
  br label %loop
loop:
  %s1 = phi <2 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %s0 = phi <2 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a0 = call <2 x float> @__mt_matrix_load_f32(ptr inttoptr (i64 65536 to ptr), i64 64, i1 false)
  %b0 = call <2 x float> @__mt_matrix_load_f32(ptr inttoptr (i64 65536 to ptr), i64 64, i1 false)
  %b1 = call <2 x float> @__mt_matrix_load_f32(ptr inttoptr (i64 65536 to ptr), i64 64, i1 false)
  %t0 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b0, <2 x float> %s0)
  %t1 = call fast <2 x float> @__mt_matrix_multiply_add(<2 x float> %a0, <2 x float> %b1, <2 x float> %s1)
  %j = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i, 56
  br i1 %more, label %loop, label %done
done:
  call void @__mt_matrix_store_f32(<2 x float> %t0, ptr inttoptr (i64 65536 to ptr), i64 64, i1 false)
  call void @__mt_matrix_store_f32(<2 x float> %t1, ptr inttoptr (i64 65536 to ptr), i64 64, i1 false)
  ret void
}
