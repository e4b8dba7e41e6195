; A constant list of addresses of threadgroup variables is a local variable:
; each group has its own addresses.
; RUN: threadgroup-lists
; CHECK: alloca [2 x ptr]
; CHECK: store
; CHECK: getelementptr [2 x ptr], ptr %
; CHECK-NOT: getelementptr [2 x ptr], ptr @list
@a = internal global float undef, section ".msl.threadgroup"
@b = internal global float undef, section ".msl.threadgroup"
@list = internal constant [2 x ptr] [ptr @a, ptr @b]
define void @k(i32 %i) {
  %at = getelementptr [2 x ptr], ptr @list, i32 0, i32 %i
  %p = load ptr, ptr %at
  store float 1.0, ptr %p
  ret void
}
