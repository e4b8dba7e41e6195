; What has no place in an address space is refused, and stays what it is: a
; parameter, memory that a function cannot have, a variable whose size is not
; known or that is part of another one.
; RUN: storage
; CHECK: ; error: parameter 'x' cannot be in the threadgroup address space
; CHECK: ; error: a variable in a function cannot be in the device address space
; CHECK: ; error: this threadgroup variable cannot be placed
; CHECK: define void @k(
; CHECK: %x.addr = alloca i32
; CHECK: %far = alloca i32
; CHECK: %many = alloca i32, i32 %n
; CHECK: %pair = alloca [2 x i32]
; CHECK-NOT: @_ZZkE
; CHECK-NOT: call void @llvm.var.annotation
@shared = private constant [28 x i8] c"space|threadgroup|own|00001\00", section "llvm.metadata"
@device = private constant [23 x i8] c"space|device|own|00002\00", section "llvm.metadata"
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define void @k(ptr %out, i32 %n) {
  %x.addr = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %x.addr, ptr @shared, ptr @file, i32 1, ptr null)
  %far = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %far, ptr @device, ptr @file, i32 1, ptr null)
  %many = alloca i32, i32 %n
  call void @llvm.var.annotation.p0.p0(ptr %many, ptr @shared, ptr @file, i32 1, ptr null)
  %pair = alloca [2 x i32]
  %second = getelementptr [2 x i32], ptr %pair, i32 0, i32 1
  call void @llvm.var.annotation.p0.p0(ptr %second, ptr @shared, ptr @file, i32 1, ptr null)
  ret void
}
