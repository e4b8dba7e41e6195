; Lanes leave a loop in different iterations: what is the same for all that are
; in an iteration together varies after the loop.
; RUN: divergence
; CHECK: %i: same
; CHECK: %x: same
; CHECK: %here: varies
; CHECK: %out.x: varies
; Where all leave together it is the same.
; RUN TOGETHER: divergence --kernel together
; TOGETHER: %x: same
; TOGETHER: %here: same
; TOGETHER: %out.x: same
; Where a loop has two exits, lanes part in time at the one that depends on the
; thread, and leave the other together.
; RUN EXITS: divergence --kernel exits
; EXITS: %here: varies
; EXITS: %there: same
; EXITS: %out.one: varies
; EXITS: %out.two: same
define void @k(ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = and i32 %thread_position_in_grid, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = mul i32 %i, 3
  %j = add i32 %i, 1
  %here = icmp ult i32 %j, %n
  br i1 %here, label %loop, label %done
done:
  %out.x = phi i32 [ %x, %loop ]
  ret void
}
define void @together(ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = mul i32 %i, 3
  %j = add i32 %i, 1
  %here = icmp ult i32 %j, %n
  br i1 %here, label %loop, label %done
done:
  %out.x = phi i32 [ %x, %loop ]
  ret void
}
define void @exits(ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %more ]
  %x = mul i32 %i, 3
  %j = add i32 %i, 1
  %here = icmp ult i32 %j, %thread_position_in_grid
  br i1 %here, label %more, label %one
more:
  %there = icmp ult i32 %j, %n
  br i1 %there, label %loop, label %two
one:
  %out.one = phi i32 [ %x, %loop ]
  br label %end
two:
  %out.two = phi i32 [ %x, %more ]
  br label %end
end:
  ret void
}
