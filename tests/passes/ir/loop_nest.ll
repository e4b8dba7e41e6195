; Blocks in reverse postorder, and the loops that they are in: an inner loop of
; one block, and a block after it that is in the outer loop alone.
; RUN: loop-nest
; CHECK: 0 %entry: loop -1, dominator 0
; CHECK-NEXT: 1 %outer: loop 0, dominator 0
; CHECK-NEXT: 2 %inner: loop 1, dominator 1
; CHECK-NEXT: 3 %after: loop 0, dominator 2
; CHECK-NEXT: 4 %done: loop -1, dominator 3
; CHECK-NEXT: loop 0: header %outer, parent -1, blocks %outer %inner %after
; CHECK-NEXT: loop 1: header %inner, parent 0, blocks %inner
; CHECK-NOT: %dead
define void @k(i1 %c, i1 %d) {
entry:
  br label %outer
dead:
  br label %done
done:
  ret void
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %after
after:
  br i1 %d, label %outer, label %done
}
