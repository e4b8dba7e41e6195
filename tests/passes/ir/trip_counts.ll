; How often loops run: started at a constant, changed by one, compared with
; one. One function for each way to compare.
; RUN BELOW: trip-counts --kernel below
; BELOW: loop %loop left from %loop: 17 iterations
; RUN EQUAL: trip-counts --kernel equal
; EQUAL: loop %loop left from %loop: 16 iterations
; RUN BEFORE: trip-counts --kernel before
; BEFORE: loop %loop left from %loop: 18 iterations
; RUN DOWN: trip-counts --kernel down
; DOWN: loop %loop left from %loop: 10 iterations
; RUN LEAVES: trip-counts --kernel leaves
; LEAVES: loop %loop left from %loop: 9 iterations
; RUN SIGNED: trip-counts --kernel signed
; SIGNED: loop %loop left from %loop: 10 iterations
; RUN ONCE: trip-counts --kernel once
; ONCE: loop %loop left from %loop: 1 iterations
; RUN SKIPS: trip-counts --kernel skips
; SKIPS: loop %loop left from %loop: not known
; RUN VARIES: trip-counts --kernel varies
; VARIES: loop %loop left from %loop: not known
; RUN MIDDLE: trip-counts --kernel middle
; MIDDLE: loop %head left from %head: 8 iterations
; MIDDLE-NOT: left from %body

; first 0, one more, tested after the addition
define void @below() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 17
  br i1 %c, label %loop, label %done
done:
  ret void
}

; until they are equal, in steps of 4
define void @equal() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 4
  %c = icmp ne i32 %n, 64
  br i1 %c, label %loop, label %done
done:
  ret void
}

; the value before the addition is compared
define void @before() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp ult i32 %i, 17
  br i1 %c, label %loop, label %done
done:
  ret void
}

; it falls to zero
define void @down() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 10, %entry ], [ %n, %loop ]
  %n = add i32 %i, -1
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}

; the branch leaves where it is true
define void @leaves() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp eq i32 %n, 9
  br i1 %c, label %done, label %loop
done:
  ret void
}

; from below zero
define void @signed() {
entry:
  br label %loop
loop:
  %i = phi i32 [ -5, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, 5
  br i1 %c, label %loop, label %done
done:
  ret void
}

; never goes on
define void @once() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 20, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 17
  br i1 %c, label %loop, label %done
done:
  ret void
}

; the end is stepped over: it would run until the number wraps
define void @skips() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 4
  %c = icmp ne i32 %n, 63
  br i1 %c, label %loop, label %done
done:
  ret void
}

; compared with a parameter
define void @varies(i32 %end) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, %end
  br i1 %c, label %loop, label %done
done:
  ret void
}

; left from its header, which runs once more than the body
define void @middle() {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %n, %body ]
  %c = icmp ult i32 %i, 7
  br i1 %c, label %body, label %done
body:
  %n = add i32 %i, 1
  br label %head
done:
  ret void
}
