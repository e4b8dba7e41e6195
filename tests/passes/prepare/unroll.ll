; A loop with a hint for all of it is gone; one with a hint to stay is still
; there.
; RUN: unroll
; CHECK: define void @k(
; CHECK-COUNT: 5 store i32
; CHECK: loop.stays
; CHECK: br i1 %c, label %loop.stays, label %done
; CHECK-NOT: label %loop.goes
define void @k(ptr %out, i32 %n) {
entry:
  br label %loop.goes
loop.goes:
  %i = phi i32 [ 0, %entry ], [ %j, %loop.goes ]
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %p
  %j = add nuw nsw i32 %i, 1
  %d = icmp ult i32 %j, 4
  br i1 %d, label %loop.goes, label %loop.stays, !llvm.loop !0
loop.stays:
  %k = phi i32 [ 0, %loop.goes ], [ %l, %loop.stays ]
  %q = getelementptr i32, ptr %out, i32 %k
  store i32 %k, ptr %q
  %l = add nuw nsw i32 %k, 1
  %c = icmp ult i32 %l, 4
  br i1 %c, label %loop.stays, label %done, !llvm.loop !2
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
