; Threadgroup variables are places in one external array of shared memory.
; RUN: ptx-threadgroup
; CHECK: @mettle_shared = external addrspace(3) global [0 x i8], align 16
; CHECK: store float 1.000000e+00, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(3) @mettle_shared to ptr), i64 16)
; CHECK-NOT: .msl.threadgroup
@a = internal global [3 x i8] undef, section ".msl.threadgroup", align 1
@b = internal global float undef, section ".msl.threadgroup", align 16
define void @k(ptr %out) {
  store float 1.0, ptr @b
  store i8 1, ptr @a
  ret void
}
