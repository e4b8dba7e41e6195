; The branch that closes a loop, the last one that leaves it, and the fewest
; iterations after which one does. Nothing closes a loop with two latches, nor
; does a switch; a branch of which both ways stay ends no loop.
; RUN: loop-ends
; CHECK: loop %outer closed by %next, left last by %next, 1 exits, 5 iterations at most
; CHECK-NEXT: loop %inner closed by %inner, left last by %inner, 1 exits, 8 iterations at most
; RUN EARLY: loop-ends --kernel early
; EARLY: loop %loop closed by %more, left last by %more, 2 exits, 4 iterations at most
; RUN LATE: loop-ends --kernel late
; LATE: loop %loop closed by %more, left last by %more, 2 exits, 4 iterations at most
; RUN UNKNOWN: loop-ends --kernel unknown
; UNKNOWN: loop %loop closed by %more, left last by %more, 2 exits, 9 iterations at most
; RUN HEAD: loop-ends --kernel head
; HEAD: loop %loop closed by %body, left last by %loop, 1 exits, 6 iterations at most
; RUN TWO: loop-ends --kernel two
; TWO: loop %loop closed by none, left last by %b, 1 exits, iterations not known
; RUN SWITCH: loop-ends --kernel chosen
; SWITCH: loop %loop closed by none, left last by %loop, 1 exits, iterations not known
; RUN ENDLESS: loop-ends --kernel endless
; ENDLESS: loop %loop closed by %more, left last by none, 0 exits, iterations not known
; RUN BOTH: loop-ends --kernel both
; BOTH: loop %outer closed by %inner, left last by %outer, 1 exits, iterations not known
; BOTH-NEXT: loop %inner closed by %inner, left last by %inner, 1 exits, 7 iterations at most
; RUN DEEP: loop-ends --kernel deep
; DEEP: loop %outer closed by %next, left last by %next, 2 exits, 3 iterations at most
; DEEP-NEXT: loop %inner closed by %more, left last by %more, 2 exits, 8 iterations at most
define void @k(ptr %out) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store i32 %j, ptr %out
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, 8
  br i1 %again, label %inner, label %next
next:
  %i.next = add i32 %i, 1
  %stop = icmp eq i32 %i.next, 5
  br i1 %stop, label %done, label %outer
done:
  ret void
}
define void @early(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %more ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %more, label %done
more:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, 9
  br i1 %d, label %loop, label %done
done:
  ret void
}
define void @late(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %more ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 9
  br i1 %c, label %more, label %done
more:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, 4
  br i1 %d, label %loop, label %done
done:
  ret void
}
define void @unknown(ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %more ]
  %x = load i32, ptr %in
  %c = icmp eq i32 %x, 4
  br i1 %c, label %done, label %more
more:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, 9
  br i1 %d, label %loop, label %done
done:
  ret void
}
define void @head(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, 5
  br i1 %c, label %body, label %done
body:
  store i32 %i, ptr %out
  %i.next = add i32 %i, 1
  br label %loop
done:
  ret void
}
define void @two(ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ 1, %a ], [ 2, %b ]
  %x = load i32, ptr %in
  %c = icmp eq i32 %x, %i
  br i1 %c, label %a, label %b
a:
  br label %loop
b:
  %d = icmp ult i32 %x, 9
  br i1 %d, label %loop, label %done
done:
  ret void
}
define void @chosen(ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %x, %loop ]
  %x = load i32, ptr %in
  switch i32 %x, label %loop [ i32 1, label %done ]
done:
  ret void
}
define void @endless(ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %more ]
  %c = icmp ult i32 %i, 5
  br i1 %c, label %then, label %more
then:
  store i32 %i, ptr %in
  br label %more
more:
  %i.next = add i32 %i, 1
  br label %loop
}
define void @both(ptr %out, i1 %b) {
entry:
  br label %outer
outer:
  br i1 %b, label %before, label %done
before:
  br label %inner
inner:
  %j = phi i32 [ 0, %before ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, 7
  br i1 %again, label %inner, label %outer
done:
  ret void
}
define void @deep(ptr %out, i1 %b) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %more ]
  br i1 %b, label %done, label %more
more:
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, 8
  br i1 %again, label %inner, label %next
next:
  %i.next = add i32 %i, 1
  %stop = icmp ult i32 %i.next, 3
  br i1 %stop, label %outer, label %done
done:
  ret void
}
