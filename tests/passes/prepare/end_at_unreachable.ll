; Where C++ promises that no thread comes, the thread ends; it does not run into
; the code that follows.
; RUN: end-at-unreachable
; CHECK: never:
; CHECK-NEXT: ret void
; CHECK-NOT: unreachable
define void @k(i1 %c) {
entry:
  br i1 %c, label %never, label %done
never:
  unreachable
done:
  ret void
}
