; Dominators and postdominators of a diamond with an early return, and of a
; block that nothing leads to.
; RUN: dominators
; CHECK: %entry: dominator %entry, postdominator the end
; CHECK-NEXT: %early: dominator %entry, postdominator the end
; CHECK-NEXT: %fork: dominator %entry, postdominator %join
; CHECK-NEXT: %left: dominator %fork, postdominator %join
; CHECK-NEXT: %right: dominator %fork, postdominator %join
; CHECK-NEXT: %join: dominator %fork, postdominator the end
; CHECK-NEXT: %dead: dominator none, postdominator %join
define void @k(i1 %c, i1 %d) {
entry:
  br i1 %c, label %early, label %fork
early:
  ret void
fork:
  br i1 %d, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  ret void
dead:
  br label %join
}
