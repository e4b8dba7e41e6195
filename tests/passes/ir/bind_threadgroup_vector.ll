; Addresses in a constant vector are put together from the places, which are
; computed before, also where the vector is for the first instruction.
; RUN: bind-threadgroup
; CHECK: define void @k(
; CHECK-NEXT: %1 = getelementptr inbounds i8, ptr %memory, i64 0
; CHECK-NEXT: %2 = getelementptr inbounds i8, ptr %memory, i64 16
; CHECK-NEXT: %3 = insertelement <2 x ptr> poison, ptr %1, i32 0
; CHECK-NEXT: %4 = insertelement <2 x ptr> %3, ptr %2, i32 1
; CHECK-NEXT: store <2 x ptr> %4, ptr %out
; CHECK-NOT: ptr @a
@a = internal global [3 x i8] undef, section ".msl.threadgroup", align 1
@b = internal global float undef, section ".msl.threadgroup", align 16
define void @k(ptr %memory, ptr %out) {
  store <2 x ptr> <ptr @a, ptr @b>, ptr %out
  ret void
}
