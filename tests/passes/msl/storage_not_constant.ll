; A constant has one value from the start: not none, two, one that is computed or
; loaded from what may change, or one for a part of it.
; RUN: storage
; CHECK: ; error: a constant must be initialized by a constant expression
; CHECK: define void @k(
; CHECK: %none = alloca
; CHECK: %twice = alloca
; CHECK: %unknown = alloca
; CHECK: %part = alloca
; CHECK: %shorter = alloca
; CHECK: %changing = alloca
; CHECK: %address = alloca
; CHECK-NOT: @_ZZkE
@what = private constant [25 x i8] c"space|constant|own|00001\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
@table = private constant [2 x i32] [i32 1, i32 2]
@changes = internal global [4 x i32] zeroinitializer
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)
define void @k(ptr %out, i32 %n) {
  %none = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %none, ptr @what, ptr @file, i32 1, ptr null)
  %twice = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %twice, ptr @what, ptr @file, i32 1, ptr null)
  %unknown = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %unknown, ptr @what, ptr @file, i32 1, ptr null)
  %part = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %part, ptr @what, ptr @file, i32 1, ptr null)
  %shorter = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %shorter, ptr @what, ptr @file, i32 1, ptr null)
  %changing = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %changing, ptr @what, ptr @file, i32 1, ptr null)
  %address = alloca ptr
  call void @llvm.var.annotation.p0.p0(ptr %address, ptr @what, ptr @file, i32 1, ptr null)
  store i32 1, ptr %twice
  store i32 2, ptr %twice
  store i32 %n, ptr %unknown
  store i8 1, ptr %part
  call void @llvm.memcpy.p0.p0.i64(ptr %shorter, ptr @table, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %changing, ptr @changes, i64 16, i1 false)
  store ptr %out, ptr %address
  call void @use(ptr %none)
  ret void
}
