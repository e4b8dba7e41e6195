; What a call is, by the name of what it calls.
; RUN: calls
; CHECK: __mt_simd_sum_f32: simd sum of f32, 1 operands, result uniform, combines sum
; CHECK-NEXT: __mt_quad_shuffle_u32: quad shuffle of u32, 2 operands, result by lane, 1 moved
; CHECK-NOT: function, threads wait
; CHECK: __mt_simd_shuffle_and_fill_up_u32: simd shuffle_and_fill_up of u32, 4 operands, result varying, 2 moved
; CHECK-NEXT: __mt_simd_max_s32: simd max of s32, 1 operands, result uniform, signed, combines max
; CHECK-NEXT: __mt_barrier_threadgroup: barrier threadgroup of no type, 1 operands, result varying, threads wait
; CHECK-NEXT: __mt_barrier_simdgroup: barrier simdgroup of no type, 1 operands, result varying
; CHECK-NEXT: __mt_probe_read: probe
; CHECK-NEXT: __mt_log_end: message
; CHECK-NEXT: llvm.memcpy.p0.p0.i64: copy
; CHECK-NEXT: llvm.sqrt.f32: pure
; CHECK-NEXT: llvm.memset.p0.i64: function
; CHECK-NEXT: f: function
; CHECK-NEXT: __mt_simd_sum_u8: function
; CHECK-NEXT: (pointer): by address
declare float @__mt_simd_sum_f32(float)
declare i32 @__mt_quad_shuffle_u32(i32, i32)
declare i32 @__mt_simd_shuffle_and_fill_up_u32(i32, i32, i32, i32)
declare i32 @__mt_simd_max_s32(i32)
declare void @__mt_barrier_threadgroup(i32)
declare void @__mt_barrier_simdgroup(i32)
declare void @__mt_probe_read(ptr)
declare void @__mt_log_end(ptr, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare float @llvm.sqrt.f32(float)
declare void @f()
declare i8 @__mt_simd_sum_u8(i8)

define void @k(ptr %p) {
  %s = call float @__mt_simd_sum_f32(float 1.0)
  %q = call i32 @__mt_quad_shuffle_u32(i32 1, i32 2)
  %u = call i32 @__mt_simd_shuffle_and_fill_up_u32(i32 1, i32 2, i32 3, i32 4)
  %m = call i32 @__mt_simd_max_s32(i32 1)
  call void @__mt_barrier_threadgroup(i32 0)
  call void @__mt_barrier_simdgroup(i32 0)
  call void @__mt_probe_read(ptr %p)
  call void @__mt_log_end(ptr %p, i32 0)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 4, i1 false)
  %r = call float @llvm.sqrt.f32(float %s)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  call void @f()
  %n = call i8 @__mt_simd_sum_u8(i8 1)
  call void %p()
  ret void
}
