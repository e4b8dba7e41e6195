; The order of blocks, where lanes part at a branch and where they meet again;
; a loop that they leave apart.
; RUN: blocks
; CHECK: 0 %entry: loop -1, dominator none, postdominator %join, divergent: one side %then, the other %else
; CHECK-NEXT: 1 %then: loop -1, dominator %entry, postdominator %join
; CHECK-NEXT: 2 %else: loop -1, dominator %entry, postdominator %join
; CHECK-NEXT: 3 %join: loop -1, dominator %entry, postdominator %loop, lanes meet
; CHECK-NEXT: 4 %loop: loop 0, dominator %join, postdominator %done, divergent: one side %loop, the other, for good
; CHECK-NEXT: 5 %done: loop -1, dominator %loop, postdominator the end, lanes meet
; CHECK: loop 0: header %loop, parent -1, lanes leave apart
define void @k(ptr %out, i32 %thread_position_in_grid) {
entry:
  %b = and i32 %thread_position_in_grid, 1
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr %out
  br label %join
else:
  store i32 2, ptr %out
  br label %join
join:
  br label %loop
loop:
  %i = phi i32 [ 0, %join ], [ %j, %loop ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %thread_position_in_grid
  br i1 %more, label %loop, label %done
done:
  ret void
}
