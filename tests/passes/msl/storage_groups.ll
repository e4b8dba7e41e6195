; Of the variables of one declaration, as many lie in the address space as the
; reader has found without a star: here one of two, and one of one.
; RUN: storage
; CHECK: @_ZZkE4tile = internal global [4 x i32] zeroinitializer, section ".msl.threadgroup"
; CHECK: @_ZZkE5other = internal global i32 0, section ".msl.threadgroup"
; CHECK: define void @k(
; CHECK: %p = alloca ptr
; CHECK-NOT: error:
@first = private constant [26 x i8] c"space|threadgroup|1|00001\00", section "llvm.metadata"
@second = private constant [26 x i8] c"space|threadgroup|1|00002\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define void @k(ptr %out) {
  %tile = alloca [4 x i32]
  %p = alloca ptr
  %other = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %tile, ptr @first, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %p, ptr @first, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %other, ptr @second, ptr @file, i32 1, ptr null)
  store ptr %tile, ptr %p
  store i32 7, ptr %other
  ret void
}
