; A short loop over the contiguous elements of each thread is unrolled as a
; whole.
; RUN: choose-unrolling
; CHECK: !"llvm.loop.unroll.full"
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %out, i64 %w
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
