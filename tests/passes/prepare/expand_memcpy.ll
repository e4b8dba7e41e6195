; A copy of more than 256 bytes is a loop, as is one of unknown length; 256
; bytes are left to LLVM.
; RUN: expand-memcpy
; CHECK: define void @k(
; CHECK-COUNT: 1 call void @llvm.memcpy.p0.p0.i64(
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 256, i1 false)
; CHECK: load i32, ptr
; CHECK: store i32
; CHECK: icmp ne i64 %6, 65
; CHECK: load i8, ptr
; CHECK: store i8
; CHECK-NOT: i64 260, i1 false
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %a, ptr %b, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 256, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 260, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %b, i64 %n, i1 false)
  ret void
}
