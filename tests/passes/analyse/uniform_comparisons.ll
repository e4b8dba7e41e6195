; Numbers of 32 lanes that lie between two multiples of 32 are compared with a
; multiple of 32, or one less, by a comparison that is the same in all lanes,
; whatever their width: so is the end of a loop over every 64th element. Where
; the other number is no multiple, lanes may differ.
; RUN: uniformity --group 64
; CHECK: %wide: affine
; CHECK-NEXT: %below: uniform
; CHECK-NEXT: %upto: uniform
; CHECK-NEXT: %least: uniform
; CHECK-NEXT: %turned: uniform
; CHECK-NEXT: %odd: varying
; CHECK-NEXT: %equal: varying
; CHECK-NEXT: %any: varying
; CHECK: %i: affine
; CHECK: %more: uniform
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_threadgroup) {
entry:
  %n = load i32, ptr %in
  %wide = zext i32 %thread_position_in_threadgroup to i64
  %below = icmp ult i32 %thread_position_in_threadgroup, 32
  %upto = icmp ugt i32 %thread_position_in_threadgroup, 31
  %least = icmp sge i64 %wide, 32
  %turned = icmp ule i32 32, %thread_position_in_threadgroup
  %odd = icmp ult i64 %wide, 40
  %equal = icmp eq i64 %wide, 32
  %any = icmp ult i32 %thread_position_in_threadgroup, %n
  br label %loop
loop:
  %i = phi i64 [ %wide, %entry ], [ %j, %loop ]
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %n, ptr %p
  %j = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %i, 960
  br i1 %more, label %loop, label %done
done:
  ret void
}
