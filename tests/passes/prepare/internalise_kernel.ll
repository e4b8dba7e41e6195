; The kernel alone is external, as whatever it comes; of what it calls nothing is
; said about memory that is behind a reference, which may not be there.
; RUN: internalise --kernel k
; CHECK: define internal float @f(ptr %x) #0
; CHECK: define void @k(
; CHECK-NOT: linkonce
; CHECK-NOT: dereferenceable
; CHECK-NOT: nonnull
; Of a loop only the hints go that say nothing about it: that it ends, and that
; it was compiled without optimisation.
; CHECK: !"llvm.loop.unroll.fully"
; CHECK: !"llvm.loop.unroll.count", i32 4
; CHECK-NOT: mustprogress
; CHECK-NOT: unroll.disable
$k = comdat any
define linkonce_odr float @f(ptr nonnull dereferenceable(4) %x) {
  %v = load float, ptr %x
  ret float %v
}
define linkonce_odr void @k(ptr %out, i32 %n) comdat {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = call float @f(ptr %out)
  store float %x, ptr %out
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1, !2, !3, !4}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{!"llvm.loop.unroll.fully"}
!4 = !{!"llvm.loop.unroll.count", i32 4}
