; So is a loop that stores a few bytes of each thread, one after the other; but
; not a long one, which is better run lane by lane.
; RUN: choose-unrolling
; CHECK-COUNT: 1 !"llvm.loop.unroll.full"
; CHECK-COUNT: 1 !"llvm.loop.unroll.disable"
define void @k(ptr %out, i8 %x, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i8, ptr %out, i64 %w
  store i8 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 2
  br i1 %c, label %loop, label %next
next:
  %far = shl i32 %thread_position_in_grid, 4
  br label %long
long:
  %l = phi i32 [ 0, %next ], [ %m, %long ]
  %to = add i32 %far, %l
  %v = zext i32 %to to i64
  %q = getelementptr i8, ptr %out, i64 %v
  store i8 %x, ptr %q
  %m = add nuw nsw i32 %l, 1
  %d = icmp ult i32 %m, 16
  br i1 %d, label %long, label %done
done:
  ret void
}
