; A loop that is left in two places is unrolled by the fewest iterations after
; which it ends, whichever branch counts them; where no end is known, the array
; stays. A triangle's inner loop is unrolled with the outer one, whose counter is
; its end. A long loop that counts no index stays one.
; RUN FIRST: arrays-to-registers --kernel first
; FIRST: define void @first(
; FIRST-NEXT: entry
; FIRST-NEXT: load i32, ptr %in
; RUN LAST: arrays-to-registers --kernel last
; LAST: define void @last(
; LAST-NEXT: entry
; LAST-NEXT: load i32, ptr %in
; RUN OPEN: arrays-to-registers --kernel open
; OPEN: define void @open(
; OPEN: alloca [8 x i32]
; RUN TRIANGLE: arrays-to-registers --kernel triangle
; TRIANGLE: define void @triangle(
; TRIANGLE-NEXT: entry
; TRIANGLE-NEXT: store i32
; RUN OTHER: arrays-to-registers --kernel other
; OTHER: define void @other(
; OTHER-NEXT: entry
; OTHER-NEXT: br label %beside
; OTHER: %k = phi i32 [ 0, %entry ], [ %k.next, %beside ]
; OTHER: br i1 %again, label %beside, label %
; RUN PASSED: arrays-to-registers --kernel passed
; PASSED: define void @passed(
; PASSED: alloca [8 x i32]
declare void @use(ptr)
define void @first(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %more ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  store i32 %x, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %more, label %done
more:
  %d = icmp eq i32 %x, 7
  br i1 %d, label %done, label %loop
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @last(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %more ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  store i32 %x, ptr %p
  %d = icmp eq i32 %x, 7
  br i1 %d, label %done, label %more
more:
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @open(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %more ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  store i32 %x, ptr %p
  %d = icmp eq i32 %x, 7
  br i1 %d, label %done, label %more
more:
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %x
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @triangle(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %j
  store i32 %i, ptr %p
  %j.next = add i32 %j, 1
  %c = icmp ule i32 %j.next, %i
  br i1 %c, label %inner, label %next
next:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, 4
  br i1 %d, label %outer, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @passed(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  store i32 %i, ptr %p
  call void @use(ptr %p)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @other(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %beside
beside:
  %k = phi i32 [ 0, %entry ], [ %k.next, %beside ]
  store volatile i32 %k, ptr %out
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, 500
  br i1 %again, label %beside, label %between
between:
  br label %loop
loop:
  %i = phi i32 [ 0, %between ], [ %j, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  store i32 %i, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
