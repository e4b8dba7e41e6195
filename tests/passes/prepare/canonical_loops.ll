; A loop gets one preheader, one latch and an exit of its own, and values that
; leave it a phi there.
; RUN: canonical-loops,loop-nest
; CHECK: loop 0: header %loop
; RUN IR: canonical-loops
; IR: loop.preheader:
; IR: loop.backedge:
; IR: phi i32 [ %i,
; IR-COUNT: 2 br label %loop
define void @k(ptr %out, i1 %c, i1 %d) {
entry:
  br i1 %c, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ], [ %j, %more ]
  %j = add i32 %i, 1
  %e = icmp ult i32 %j, 9
  br i1 %e, label %loop, label %more
more:
  br i1 %d, label %loop, label %done
done:
  %x = phi i32 [ 0, %entry ], [ %i, %more ]
  store i32 %x, ptr %out
  ret void
}
