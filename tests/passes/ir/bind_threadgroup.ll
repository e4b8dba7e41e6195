; A threadgroup variable becomes its place in the memory of the group.
; RUN: bind-threadgroup
; CHECK: = getelementptr inbounds i8, ptr %memory, i64 16
; CHECK: store float 1.000000e+00, ptr %2
; CHECK-NEXT: store i8 1, ptr %1
@a = internal global [3 x i8] undef, section ".msl.threadgroup", align 1
@b = internal global float undef, section ".msl.threadgroup", align 16
define void @k(ptr %memory) {
  store float 1.0, ptr @b
  store i8 1, ptr @a
  ret void
}
