; A private variable that may be read before it is written has flags beside it,
; while it is still in memory.
; RUN: instrument-variables
; CHECK: define void @k(
; CHECK: %mt.flags = alloca
; CHECK: set:
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 %0, i8 0, i64 16, i1 false)
; CHECK-NEXT: store i32 1, ptr %v
; CHECK: %x = load i32, ptr %v
; CHECK: call void @__mt_probe_if(i32 2, i1 %6, i64 %5)
define void @k(ptr %out, i1 %c) {
entry:
  %v = alloca i32
  br i1 %c, label %set, label %use
set:
  store i32 1, ptr %v
  br label %use
use:
  %x = load i32, ptr %v
  store i32 %x, ptr %out
  ret void
}
