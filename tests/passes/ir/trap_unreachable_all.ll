; Each unreachable end traps, in every function.
; RUN: trap-unreachable
; CHECK: define void @k(i1 %c, i1 %d) {
; CHECK: entry:
; CHECK-NEXT: br i1 %c, label %never, label %more
; CHECK: never:
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK: more:
; CHECK-NEXT: br i1 %d, label %either, label %done
; CHECK: either:
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK: done:
; CHECK-NEXT: ret void
; CHECK: define internal void @other() {
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
declare void @outside()
define void @k(i1 %c, i1 %d) {
entry:
  br i1 %c, label %never, label %more
never:
  call void @outside()
  unreachable
more:
  br i1 %d, label %either, label %done
either:
  unreachable
done:
  ret void
}
define internal void @other() {
  unreachable
}
