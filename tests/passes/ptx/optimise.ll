; What LLVM does for every GPU's kernel, without debug information: two tests in
; a row are one branch, and the text is valid.
; RUN: ptx-strip,ptx-verify,ptx-optimise
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK-NOT: !dbg
define void @k(ptr %out, i32 %x) {
  %v = alloca i32
  store i32 %x, ptr %v
  %y = load i32, ptr %v
  store i32 %y, ptr %out
  ret void
}
