; Each edge into a header sets the loop's counter: from outside to 0, from
; every latch to one more. Another function's loops have none.
; RUN: count-loops
; CHECK: define void @k(i1 %c, i1 %d, i1 %e) {
; CHECK: entry:
; CHECK-NEXT: %iterations1 = alloca i32, align 4
; CHECK-NEXT: %iterations = alloca i32, align 4
; CHECK-NEXT: store i32 0, ptr %iterations, align 4
; CHECK-NEXT: br i1 %c, label %outer, label %done
; CHECK: outer:
; CHECK-NEXT: store i32 0, ptr %iterations1, align 4
; CHECK-NEXT: br i1 %d, label %skip, label %inner
; CHECK: skip:
; CHECK-NEXT: %0 = load i32, ptr %iterations, align 4
; CHECK-NEXT: %1 = add i32 %0, 1
; CHECK-NEXT: store i32 %1, ptr %iterations, align 4
; CHECK-NEXT: store i32 0, ptr %iterations1, align 4
; CHECK-NEXT: br i1 %e, label %outer, label %inner
; CHECK: inner:
; CHECK-NEXT: %2 = load i32, ptr %iterations1, align 4
; CHECK-NEXT: %3 = add i32 %2, 1
; CHECK-NEXT: store i32 %3, ptr %iterations1, align 4
; CHECK-NEXT: br i1 %e, label %inner, label %after
; CHECK: after:
; CHECK-NEXT: %4 = load i32, ptr %iterations, align 4
; CHECK-NEXT: %5 = add i32 %4, 1
; CHECK-NEXT: store i32 %5, ptr %iterations, align 4
; CHECK-NEXT: br i1 %d, label %outer, label %done
; CHECK: done:
; CHECK-NEXT: ret void
; CHECK: define internal void @dead(i1 %c) {
; CHECK: entry:
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: br i1 %c, label %loop, label %done
; CHECK: unreached:
; CHECK-NEXT: br label %loop
; CHECK: done:
; CHECK-NEXT: ret void
define void @k(i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %c, label %outer, label %done
outer:
  br i1 %d, label %skip, label %inner
skip:
  br i1 %e, label %outer, label %inner
inner:
  br i1 %e, label %inner, label %after
after:
  br i1 %d, label %outer, label %done
done:
  ret void
}
define internal void @dead(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %done
unreached:
  br label %loop
done:
  ret void
}
