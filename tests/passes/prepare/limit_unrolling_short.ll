; A short loop is unrolled as the source asks, in quick code too.
; RUN: limit-unrolling
; CHECK: !"llvm.loop.unroll.full"
; CHECK-NOT: !"llvm.loop.unroll.disable"
define void @k(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x0 = mul i32 %i, 77
  %x1 = xor i32 %x0, 1
  %p1 = getelementptr i32, ptr %out, i32 %x1
  store volatile i32 %x1, ptr %p1
  %x2 = xor i32 %x1, 2
  %p2 = getelementptr i32, ptr %out, i32 %x2
  store volatile i32 %x2, ptr %p2
  %x3 = xor i32 %x2, 3
  %p3 = getelementptr i32, ptr %out, i32 %x3
  store volatile i32 %x3, ptr %p3
  %x4 = xor i32 %x3, 4
  %p4 = getelementptr i32, ptr %out, i32 %x4
  store volatile i32 %x4, ptr %p4
  %x5 = xor i32 %x4, 5
  %p5 = getelementptr i32, ptr %out, i32 %x5
  store volatile i32 %x5, ptr %p5
  %x6 = xor i32 %x5, 6
  %p6 = getelementptr i32, ptr %out, i32 %x6
  store volatile i32 %x6, ptr %p6
  %x7 = xor i32 %x6, 7
  %p7 = getelementptr i32, ptr %out, i32 %x7
  store volatile i32 %x7, ptr %p7
  %x8 = xor i32 %x7, 8
  %p8 = getelementptr i32, ptr %out, i32 %x8
  store volatile i32 %x8, ptr %p8
  %x9 = xor i32 %x8, 9
  %p9 = getelementptr i32, ptr %out, i32 %x9
  store volatile i32 %x9, ptr %p9
  %x10 = xor i32 %x9, 10
  %p10 = getelementptr i32, ptr %out, i32 %x10
  store volatile i32 %x10, ptr %p10
  %x11 = xor i32 %x10, 11
  %p11 = getelementptr i32, ptr %out, i32 %x11
  store volatile i32 %x11, ptr %p11
  %x12 = xor i32 %x11, 12
  %p12 = getelementptr i32, ptr %out, i32 %x12
  store volatile i32 %x12, ptr %p12
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
