; Fewer variables lie in the address space than the reader has found: which of
; them is meant is not known, though another declaration follow.
; RUN: storage
; CHECK: ; error: it cannot be told which of these variables are in the threadgroup address space
; CHECK: define void @k(
@first = private constant [26 x i8] c"space|threadgroup|2|00001\00", section "llvm.metadata"
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
  ret void
}
