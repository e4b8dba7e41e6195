; A loop is as long as the loops in it are, which count once where they stay
; loops: short ones stay unrolled beside a long one that does not.
; RUN SHORT: limit-unrolling --kernel short
; SHORT: define void @short(
; SHORT: br i1 %d, label %outer, label %before, !llvm.loop !2
; SHORT: br i1 %e, label %long, label %done, !llvm.loop !3
; SHORT: !2 = distinct !{!2, !1}
; SHORT: !3 = distinct !{!3, !4}
; SHORT: !4 = !{!"llvm.loop.unroll.disable"}
; RUN INNER: limit-unrolling --kernel inner
; INNER: define void @inner(
; INNER: br i1 %d, label %outer, label %done, !llvm.loop !4
; INNER: !4 = distinct !{!4, !5}
; INNER: !5 = !{!"llvm.loop.unroll.disable"}
; RUN STAYS: limit-unrolling --kernel stays
; STAYS: define void @stays(
; STAYS: br i1 %d, label %outer, label %before, !llvm.loop !2
; STAYS: br i1 %e, label %long, label %done, !llvm.loop !6
; STAYS: !1 = !{!"llvm.loop.unroll.full"}
; STAYS: !2 = distinct !{!2, !1}
; STAYS: !6 = distinct !{!6, !5}
define void @short(ptr %out) {
entry:
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %next ]
  br label %inner
inner:
  %s = phi i32 [ 0, %outer ], [ %s.next, %inner ]
  %s0 = xor i32 %s, 1
  store volatile i32 %s0, ptr %out
  %s.next = add nuw nsw i32 %s, 1
  %c = icmp ult i32 %s.next, 2
  br i1 %c, label %inner, label %next, !llvm.loop !0
next:
  %r.next = add nuw nsw i32 %r, 1
  %d = icmp ult i32 %r.next, 2
  br i1 %d, label %outer, label %before, !llvm.loop !2
before:
  br label %long
long:
  %l = phi i32 [ 0, %before ], [ %m, %long ]
  %l0 = xor i32 %l, 1
  store volatile i32 %l0, ptr %out
  %l1 = xor i32 %l0, 2
  store volatile i32 %l1, ptr %out
  %l2 = xor i32 %l1, 3
  store volatile i32 %l2, ptr %out
  %l3 = xor i32 %l2, 4
  store volatile i32 %l3, ptr %out
  %l4 = xor i32 %l3, 5
  store volatile i32 %l4, ptr %out
  %l5 = xor i32 %l4, 6
  store volatile i32 %l5, ptr %out
  %l6 = xor i32 %l5, 7
  store volatile i32 %l6, ptr %out
  %l7 = xor i32 %l6, 8
  store volatile i32 %l7, ptr %out
  %l8 = xor i32 %l7, 9
  store volatile i32 %l8, ptr %out
  %l9 = xor i32 %l8, 10
  store volatile i32 %l9, ptr %out
  %l10 = xor i32 %l9, 11
  store volatile i32 %l10, ptr %out
  %l11 = xor i32 %l10, 12
  store volatile i32 %l11, ptr %out
  %l12 = xor i32 %l11, 13
  store volatile i32 %l12, ptr %out
  %m = add nuw nsw i32 %l, 1
  %e = icmp ult i32 %m, 200
  br i1 %e, label %long, label %done, !llvm.loop !4
done:
  ret void
}
define void @inner(ptr %out) {
entry:
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %next ]
  br label %inner
inner:
  %s = phi i32 [ 0, %outer ], [ %s.next, %inner ]
  %s0 = xor i32 %s, 1
  store volatile i32 %s0, ptr %out
  %s1 = xor i32 %s0, 2
  store volatile i32 %s1, ptr %out
  %s.next = add nuw nsw i32 %s, 1
  %c = icmp ult i32 %s.next, 20
  br i1 %c, label %inner, label %next, !llvm.loop !0
next:
  %r.next = add nuw nsw i32 %r, 1
  %d = icmp ult i32 %r.next, 20
  br i1 %d, label %outer, label %done, !llvm.loop !2
done:
  ret void
}
define void @stays(ptr %out) {
entry:
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %next ]
  br label %inner
inner:
  %s = phi i32 [ 0, %outer ], [ %s.next, %inner ]
  %s0 = xor i32 %s, 1
  store volatile i32 %s0, ptr %out
  %s1 = xor i32 %s0, 2
  store volatile i32 %s1, ptr %out
  %s2 = xor i32 %s1, 3
  store volatile i32 %s2, ptr %out
  %s3 = xor i32 %s2, 4
  store volatile i32 %s3, ptr %out
  %s.next = add nuw nsw i32 %s, 1
  %c = icmp ult i32 %s.next, 50
  br i1 %c, label %inner, label %next, !llvm.loop !5
next:
  %r.next = add nuw nsw i32 %r, 1
  %d = icmp ult i32 %r.next, 20
  br i1 %d, label %outer, label %before, !llvm.loop !2
before:
  br label %long
long:
  %l = phi i32 [ 0, %before ], [ %m, %long ]
  %l0 = xor i32 %l, 1
  store volatile i32 %l0, ptr %out
  %l1 = xor i32 %l0, 2
  store volatile i32 %l1, ptr %out
  %l2 = xor i32 %l1, 3
  store volatile i32 %l2, ptr %out
  %l3 = xor i32 %l2, 4
  store volatile i32 %l3, ptr %out
  %l4 = xor i32 %l3, 5
  store volatile i32 %l4, ptr %out
  %l5 = xor i32 %l4, 6
  store volatile i32 %l5, ptr %out
  %l6 = xor i32 %l5, 7
  store volatile i32 %l6, ptr %out
  %l7 = xor i32 %l6, 8
  store volatile i32 %l7, ptr %out
  %l8 = xor i32 %l7, 9
  store volatile i32 %l8, ptr %out
  %l9 = xor i32 %l8, 10
  store volatile i32 %l9, ptr %out
  %l10 = xor i32 %l9, 11
  store volatile i32 %l10, ptr %out
  %l11 = xor i32 %l10, 12
  store volatile i32 %l11, ptr %out
  %l12 = xor i32 %l11, 13
  store volatile i32 %l12, ptr %out
  %m = add nuw nsw i32 %l, 1
  %e = icmp ult i32 %m, 200
  br i1 %e, label %long, label %done, !llvm.loop !4
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !1}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !3}
