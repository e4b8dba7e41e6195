; Threadgroup variables are the globals of one section, each at a place that its
; alignment allows.
; RUN: threadgroup
; CHECK: @a: at byte 0
; CHECK-NEXT: @b: at byte 16
; CHECK-NEXT: 144 bytes
; CHECK-NOT: @c
@a = internal global [3 x i8] undef, section ".msl.threadgroup", align 1
@b = internal global [32 x float] undef, section ".msl.threadgroup", align 16
@c = internal constant [32 x float] zeroinitializer
define void @k() {
  ret void
}
