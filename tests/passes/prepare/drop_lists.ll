; Lists that keep functions alive are gone.
; RUN: drop-lists
; CHECK: define void @k(
; CHECK-NOT: llvm.used
; CHECK-NOT: llvm.compiler.used
@llvm.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
define void @k() {
  ret void
}
define internal void @f() {
  ret void
}
