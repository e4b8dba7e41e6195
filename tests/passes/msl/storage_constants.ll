; A constant in a function has the value that is stored or copied into all of
; it, or zeros where it is cleared. A variable that is only called like an
; unnamed parameter is a variable.
; RUN: storage
; CHECK: @_ZZkE5.addr = internal global i32 0, section ".msl.threadgroup"
; CHECK: @_ZZkE5zeros = internal constant [4 x i32] zeroinitializer
; CHECK: @_ZZkE5table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
; CHECK: define void @k(
; CHECK-NOT: error:
@shared = private constant [26 x i8] c"space|threadgroup|1|00001\00", section "llvm.metadata"
@what = private constant [25 x i8] c"space|constant|own|00002\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
@of = private constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %out, i32 %i) {
  %.addr = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %.addr, ptr @shared, ptr @file, i32 1, ptr null)
  store i32 7, ptr %.addr
  %zeros = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %zeros, ptr @what, ptr @file, i32 1, ptr null)
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 16, i1 false)
  %table = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %table, ptr @what, ptr @file, i32 1, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr %table, ptr @of, i64 16, i1 false)
  %p = getelementptr [4 x i32], ptr %zeros, i32 0, i32 %i
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %q = getelementptr [4 x i32], ptr %table, i32 0, i32 %i
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
