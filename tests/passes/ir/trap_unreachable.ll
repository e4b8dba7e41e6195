; Unreachable code traps, so that nothing runs into what follows it.
; RUN: trap-unreachable
; CHECK: never:
; CHECK: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK-COUNT: 1 call void @llvm.trap()
define void @k(i1 %c) {
entry:
  br i1 %c, label %never, label %done
never:
  unreachable
done:
  ret void
}
