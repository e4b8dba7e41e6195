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
; RUN ULE: trip-counts --kernel ule
; ULE: loop %loop left from %loop: 17 iterations
; RUN UGE: trip-counts --kernel uge
; UGE: loop %loop left from %loop: 16 iterations
; RUN UGT: trip-counts --kernel ugt
; UGT: loop %loop left from %loop: 15 iterations
; RUN SLE: trip-counts --kernel sle
; SLE: loop %loop left from %loop: 5 iterations
; RUN SGE: trip-counts --kernel sge
; SGE: loop %loop left from %loop: 5 iterations
; RUN NARROW: trip-counts --kernel narrow
; NARROW: loop %loop left from %loop: 5 iterations
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

define void @ule() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp ule i32 %n, 16
  br i1 %c, label %loop, label %done
done:
  ret void
}

define void @uge() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 16, %entry ], [ %n, %loop ]
  %n = add i32 %i, -1
  %c = icmp uge i32 %n, 1
  br i1 %c, label %loop, label %done
done:
  ret void
}

define void @ugt() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 16, %entry ], [ %n, %loop ]
  %n = add i32 %i, -1
  %c = icmp ugt i32 %n, 1
  br i1 %c, label %loop, label %done
done:
  ret void
}

define void @sle() {
entry:
  br label %loop
loop:
  %i = phi i32 [ -2, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %c = icmp sle i32 %n, 2
  br i1 %c, label %loop, label %done
done:
  ret void
}

define void @sge() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %n, %loop ]
  %n = add i32 %i, -1
  %c = icmp sge i32 %n, -1
  br i1 %c, label %loop, label %done
done:
  ret void
}

define void @narrow() {
entry:
  br label %loop
loop:
  %i = phi i8 [ 250, %entry ], [ %n, %loop ]
  %n = add i8 %i, 1
  %c = icmp ult i8 %n, 255
  br i1 %c, label %loop, label %done
done:
  ret void
}
