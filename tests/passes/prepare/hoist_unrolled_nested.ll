; A loop over the contiguous elements of each thread, inside another one: once it
; is unrolled, the elements are loaded before the outer loop.
; RUN: choose-unrolling,unroll,hoist-unrolled
; CHECK: load i32, ptr %p.3
; CHECK: outer:
; Unrolling alone leaves them there.
; RUN LEFT: choose-unrolling,unroll
; LEFT: outer:
; LEFT: load i32, ptr %p.3
define void @k(ptr %in, ptr %out, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %j, %loop ]
  %s = phi i32 [ %sum, %outer ], [ %s.next, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  %y = mul i32 %x, %s
  %s.next = add i32 %y, %r
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %latch
latch:
  %r.next = add i32 %r, 1
  %d = icmp ult i32 %r.next, %n
  br i1 %d, label %outer, label %done
done:
  store i32 %s.next, ptr %out
  ret void
}
