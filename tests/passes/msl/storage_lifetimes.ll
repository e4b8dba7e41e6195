; Memory that threads share has no lifetime in a function; neither has a constant.
; A pointer lies in the address space if the declaration says that of itself.
; What other annotations say is not for this pass.
; RUN: storage
; CHECK: @_ZZ1kE1x = internal global i32 0, section ".msl.threadgroup", align 8
; CHECK: @_ZZ1kE1p = internal global [2 x ptr] zeroinitializer, section ".msl.threadgroup"
; CHECK: @_ZZ1kE1c = internal constant i32 5, align 16
; CHECK: define void @_Z1k(
; CHECK: %near = alloca [2 x ptr]
; CHECK: call void @use(ptr @_ZZ1kE1x)
; CHECK: call void @use(ptr @_ZZ1kE1c)
; CHECK-COUNT: 1 call void @llvm.lifetime.start.p0(
; CHECK-COUNT: 1 call void @llvm.lifetime.end.p0(
; CHECK-COUNT: 3 call void @llvm.var.annotation.p0.p0(
; CHECK-NOT: error:
@shared = private constant [26 x i8] c"space|threadgroup|1|00001\00", section "llvm.metadata"
@pointers = private constant [28 x i8] c"space|threadgroup|own|00002\00", section "llvm.metadata"
@bare = private constant [26 x i8] c"space|threadgroup|0|00003\00", section "llvm.metadata"
@constant = private constant [23 x i8] c"space|constant|1|00004\00", section "llvm.metadata"
@other = private constant [7 x i8] c"packed\00", section "llvm.metadata"
@elsewhere = external constant [4 x i8]
@numbers = private constant [2 x i32] [i32 1, i32 2]
@file = private constant [2 x i8] c"k\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)
define void @_Z1k(ptr %out) {
  %x = alloca i32, align 8
  %p = alloca [2 x ptr]
  %near = alloca [2 x ptr]
  %c = alloca i32, align 16
  %o = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %o, ptr @other, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %o, ptr @elsewhere, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %o, ptr @numbers, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %x, ptr @shared, ptr @file, i32 1, ptr null)
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @llvm.var.annotation.p0.p0(ptr %p, ptr @pointers, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %near, ptr @bare, ptr @file, i32 1, ptr null)
  call void @llvm.lifetime.start.p0(ptr %o)
  call void @llvm.var.annotation.p0.p0(ptr %c, ptr @constant, ptr @file, i32 1, ptr null)
  call void @llvm.lifetime.start.p0(ptr %c)
  store i32 5, ptr %c
  call void @use(ptr %x)
  call void @use(ptr %p)
  call void @use(ptr %near)
  call void @use(ptr %c)
  call void @use(ptr %o)
  call void @llvm.lifetime.end.p0(ptr %x)
  call void @llvm.lifetime.end.p0(ptr %c)
  call void @llvm.lifetime.end.p0(ptr %o)
  ret void
}
