; In every function that is defined here.
; RUN: null-is-valid
; CHECK: declare void @outside()
; CHECK-NOT: @outside() #
; CHECK: define void @k() #0 {
; CHECK-NEXT: call void @outside()
; CHECK-NEXT: ret void
; CHECK: define internal void @other() #0 {
; CHECK-NEXT: ret void
declare void @outside()
define void @k() {
  call void @outside()
  ret void
}
define internal void @other() {
  ret void
}
