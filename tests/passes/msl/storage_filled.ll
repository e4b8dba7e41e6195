; A constant that is filled with another byte than 0, or with one that is not
; known, has no constant value, and stays what it is, with an error.
; RUN: storage
; CHECK: ; error: a constant must be initialized by a constant expression
; CHECK: define void @k(
; CHECK: %bytes = alloca [4 x i32]
; CHECK: %unknown = alloca [4 x i32]
@what = private constant [25 x i8] c"space|constant|own|00002\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @k(ptr %out, i8 %b) {
  %bytes = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %bytes, ptr @what, ptr @file, i32 1, ptr null)
  call void @llvm.memset.p0.i64(ptr %bytes, i8 1, i64 16, i1 false)
  %unknown = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %unknown, ptr @what, ptr @file, i32 1, ptr null)
  call void @llvm.memset.p0.i64(ptr %unknown, i8 %b, i64 16, i1 false)
  ret void
}
