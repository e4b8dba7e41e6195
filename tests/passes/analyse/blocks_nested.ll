; Loops in loops and branches in them: which block comes after which, who
; dominates, where lanes part and meet; a branch that all lanes take alike parts
; nobody, and one whose sides only return parts them for good.
; RUN: blocks
; CHECK: 0 %entry: loop -1, dominator none, postdominator %outer
; CHECK-NEXT: 1 %outer: loop 0, dominator %entry, postdominator %latch, divergent: one side %odd,
; CHECK-NEXT: 2 %odd: loop 0, dominator %outer, postdominator %latch
; CHECK-NEXT: 3 %inner: loop 1, dominator %outer, postdominator %left
; CHECK-NEXT: 4 %body: loop 1, dominator %inner, postdominator %inner
; CHECK-NEXT: 5 %left: loop 0, dominator %inner, postdominator %latch
; CHECK-NEXT: 6 %then: loop 0, dominator %left, postdominator %latch
; CHECK-NEXT: 7 %latch: loop 0, dominator %outer, postdominator %done, lanes meet
; CHECK-NEXT: 8 %done: loop -1, dominator %latch, postdominator the end
; CHECK-NEXT: loop 0: header %outer, parent -1
; CHECK-NEXT: loop 1: header %inner, parent 0
; RUN EXITS: blocks --kernel exits
; EXITS: 0 %entry: loop -1, dominator none, postdominator %return,
; EXITS-NEXT: 1 %loop: loop 0, dominator %entry, postdominator %return, divergent: one side %found,
; EXITS-NEXT: 2 %back: loop 0, dominator %loop, postdominator %return
; EXITS-NEXT: 3 %found: loop -1, dominator %loop, postdominator %return
; EXITS-NEXT: 4 %missed: loop -1, dominator %back, postdominator %return
; EXITS-NEXT: 5 %return: loop -1, dominator %entry, postdominator the end, lanes meet
; EXITS-NEXT: loop 0: header %loop, parent -1, lanes leave apart
; RUN ODD: blocks --kernel irreducible
; ODD: no vectors: irreducible control flow
; RUN NEVER: blocks --kernel unreached
; NEVER: no vectors: code that is never reached
; RUN ENDLESS: blocks --kernel endless
; ENDLESS: 0 %entry: loop -1, dominator none, postdominator %done, divergent: one side %loop, the other,
; ENDLESS-NEXT: 1 %loop: loop 0, dominator %entry, postdominator the end
; ENDLESS-NEXT: 2 %done: loop -1, dominator %entry, postdominator the end, lanes meet
; ENDLESS-NEXT: loop 0: header %loop, parent -1
; RUN SWITCH: blocks --kernel switched
; SWITCH: no vectors: a jump that is neither a branch nor a return
; RUN CHAIN: blocks --kernel chain
; CHAIN: 0 %entry: loop -1, dominator none, postdominator %jump, divergent: one side %one, the other %two,
; CHAIN-NEXT: 1 %one: loop -1, dominator %entry, postdominator %jump
; CHAIN-NEXT: 2 %two: loop -1, dominator %entry, postdominator %jump
; CHAIN-NEXT: 3 %jump: loop -1, dominator %entry, postdominator %end, lanes meet
; CHAIN-NEXT: 4 %end: loop -1, dominator %jump, postdominator %same
; CHAIN-NEXT: 5 %same: loop -1, dominator %end, postdominator the end
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %in
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  %b = and i32 %thread_position_in_grid, 1
  %c = icmp eq i32 %b, 0
  br i1 %c, label %odd, label %inner
odd:
  store i32 1, ptr %out
  br label %latch
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %body ]
  %small = icmp ult i32 %j, %n
  br i1 %small, label %body, label %left
body:
  %j2 = add i32 %j, 1
  store i32 %j, ptr %out
  br label %inner
left:
  %d = icmp ult i32 %n, 3
  br i1 %d, label %then, label %latch
then:
  store i32 2, ptr %out
  br label %latch
latch:
  %i2 = add i32 %i, 1
  %more = icmp ult i32 %i2, %n
  br i1 %more, label %outer, label %done
done:
  ret void
}
define void @exits(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %loop, label %return
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %back ]
  %j = add i32 %i, 1
  %d = icmp eq i32 %i, %thread_position_in_grid
  br i1 %d, label %found, label %back
back:
  %more = icmp ult i32 %j, 100
  br i1 %more, label %loop, label %missed
found:
  store i32 1, ptr %out
  br label %return
missed:
  store i32 2, ptr %out
  br label %return
return:
  ret void
}
define void @irreducible(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %out
  br i1 %c, label %b, label %done
b:
  store i32 2, ptr %out
  br i1 %c, label %a, label %done
done:
  ret void
}
define void @unreached(ptr %out) {
entry:
  ret void
never:
  store i32 1, ptr %out
  ret void
}
define void @endless(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %loop, label %done
loop:
  store i32 1, ptr %out
  br label %loop
done:
  ret void
}
define void @switched(ptr %out, i32 %thread_position_in_grid) {
entry:
  switch i32 %thread_position_in_grid, label %done [ i32 1, label %one ]
one:
  store i32 1, ptr %out
  br label %done
done:
  ret void
}
define void @chain(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %one, label %two
one:
  store i32 1, ptr %out
  br label %jump
two:
  store i32 2, ptr %out
  br label %jump
jump:
  br label %end
end:
  br i1 %c, label %same, label %same
same:
  ret void
}
