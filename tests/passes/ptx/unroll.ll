; Of a loop that was kept, four iterations have one test, also where it starts at
; a thread's number and has four at most: its bound is hidden by a move.
; RUN: ptx-unroll
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 768)
; CHECK: and i32 %4, 3
; CHECK: %x = load i32
; CHECK: %x.1 = load i32
; CHECK: %x.2 = load i32
; CHECK: %x.3 = load i32
; CHECK: br i1 %niter
define void @k(ptr %in, ptr %out, i32 %t) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %p
  %s1 = add i32 %s, %x
  %i1 = add nuw nsw i32 %i, 256
  %c = icmp ult i32 %i, 768
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  store i32 %s1, ptr %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 1}
