; What becomes of each use: copies in and out and fills are done member by
; member, with the alignment that each has there; a variable's life is that of
; each; a struct in it is divided, too.
; RUN: split-structs --kernel copies
; CHECK: %1 = alloca i8, align 16
; CHECK-NEXT: %2 = alloca double, align 8
; CHECK-NEXT: %3 = alloca [3 x i32], align 16
; CHECK-NEXT: %4 = alloca i8, align 4
; CHECK: ptr %from, i32 0, i32 0
; CHECK-NEXT: memmove.p0.p0.i64(ptr align 16 %1, ptr align 4 %5, i64 1, i1
; CHECK-NEXT: ptr %from, i32 0, i32 1
; CHECK-NEXT: memmove.p0.p0.i64(ptr align 8 %2, ptr align 4 %6, i64 8,
; CHECK-NEXT: ptr %from, i32 0, i32 2
; CHECK-NEXT: memmove.p0.p0.i64(ptr align 16 %3, ptr align 4 %7, i64 12,
; CHECK: memmove.p0.p0.i64(ptr align 4 %4, ptr align 4 %8, i64 1, i1
; CHECK: getelementptr inbounds [3 x i32], ptr %3, i32 0, i32 %i
; CHECK: memmove.p0.p0.i64(ptr align 8 %10, ptr align 16 %1, i64 1, i1
; CHECK: memmove.p0.p0.i64(ptr align 8 %11, ptr align 8 %2, i64 8,
; CHECK: memmove.p0.p0.i64(ptr align 8 %12, ptr align 16 %3, i64 12,
; CHECK: memmove.p0.p0.i64(ptr align 4 %13, ptr align 4 %4, i64 1, i1
; CHECK: memset.p0.i64(ptr align 16 %1, i8 7, i64 1, i1
; CHECK-NEXT: memset.p0.i64(ptr align 8 %2, i8 7, i64 8,
; CHECK-NEXT: memset.p0.i64(ptr align 16 %3, i8 7, i64 12,
; CHECK-NEXT: memset.p0.i64(ptr align 4 %4, i8 7, i64 1, i1
; CHECK-NEXT: ret void
; RUN LIFE: split-structs --kernel life
; LIFE: %1 = alloca float
; LIFE-NEXT: %2 = alloca [3 x i32]
; LIFE-NEXT: lifetime.start.p0(ptr %1)
; LIFE-NEXT: lifetime.start.p0(ptr %2)
; LIFE-NEXT: store float 1.000000e+00, ptr %1
; LIFE-NEXT: getelementptr inbounds [3 x i32], ptr %2, i32 0, i32 %i
; LIFE: lifetime.end.p0(ptr %1)
; LIFE-NEXT: lifetime.end.p0(ptr %2)
; RUN INNER: split-structs --kernel inner
; INNER: %x = alloca i32
; INNER-NEXT: alloca float
; INNER-NEXT: alloca i32
; INNER-NEXT: alloca [3 x i32]
; INNER-NEXT: getelementptr
; INNER-NEXT: store
; INNER-NEXT: ret void
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
define void @copies(ptr %out, ptr %from, i32 %i) {
  %s = alloca { i8, double, [3 x i32], i8 }, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr align 4 %from, i64 32, i1 false)
  %one = getelementptr { i8, double, [3 x i32], i8 }, ptr %s, i32 0, i32 2, i32 %i
  store i32 1, ptr %one
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %out, ptr %s, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr %s, i8 7, i64 32, i1 false)
  ret void
}
define void @life(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  call void @llvm.lifetime.start.p0(ptr %s)
  %at = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 0
  store float 1.0, ptr %at
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @llvm.lifetime.end.p0(ptr %s)
  ret void
}
define void @inner(ptr %out, i32 %i) {
  %x = alloca i32
  %s = alloca { float, { i32, [3 x i32] } }
  %in = getelementptr { float, { i32, [3 x i32] } }, ptr %s, i32 0, i32 1
  %one = getelementptr { i32, [3 x i32] }, ptr %in, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  ret void
}
