; A variable that the reader marked as threadgroup memory becomes a global in
; the section of threadgroup variables; one that is constant, a constant.
; RUN: storage
; CHECK: @_ZZkE4tile = internal global [4 x i32] zeroinitializer, section ".msl.threadgroup"
; CHECK: define void @k(
; CHECK: getelementptr [4 x i32], ptr @_ZZkE4tile
; CHECK-NOT: alloca [4 x i32]
@what = private constant [26 x i8] c"space|threadgroup|1|00001\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define void @k(ptr %out) {
  %tile = alloca [4 x i32]
  call void @llvm.var.annotation.p0.p0(ptr %tile, ptr @what, ptr @file, i32 1, ptr null)
  %p = getelementptr [4 x i32], ptr %tile, i32 0, i32 1
  store i32 7, ptr %p
  ret void
}
