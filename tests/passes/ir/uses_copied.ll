; A copy reads one pointer and writes the other one; what is copied may hold
; pointers.
; RUN: uses
; CHECK: %from: read, inside read and written
; CHECK-NEXT: %to: written, inside neither
; CHECK-NEXT: %set: written, inside neither
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @k(ptr %from, ptr %to, ptr %set) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 16, i1 false)
  ret void
}
