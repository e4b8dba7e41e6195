; Loops get variables that count their iterations, from 0 on: set before the
; loop, one more in its latch.
; RUN: count-loops
; CHECK: entry:
; CHECK: alloca i32
; CHECK: store i32 0
; CHECK: loop:
; CHECK: add i32
; CHECK: , 1
; CHECK: store i32
; CHECK-COUNT: 1 alloca i32
define void @k(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %done
done:
  ret void
}
