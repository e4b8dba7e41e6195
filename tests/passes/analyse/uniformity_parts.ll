; Each part of a vector has a shape of its own; what takes parts apart and puts
; them together copies shapes, what mixes them has the highest of all.
; RUN: uniformity --group 256
; CHECK: %out: uniform
; CHECK-NEXT: %in: uniform
; CHECK-NEXT: %thread_position_in_grid: affine
; CHECK-NEXT: %n: uniform
; CHECK-NEXT: %i16: uniform
; CHECK-NEXT: %l16: affine
; CHECK-NEXT: %p: affine
; CHECK-NEXT: %x: varying
; CHECK-NEXT: %v0[0]: uniform
; CHECK-NEXT: %v0[1]: uniform
; CHECK-NEXT: %v0[2]: uniform
; CHECK-NEXT: %v0[3]: uniform
; CHECK-NEXT: %v1[0]: uniform
; CHECK-NEXT: %v1[1]: affine
; CHECK-NEXT: %v1[2]: uniform
; CHECK-NEXT: %v1[3]: uniform
; CHECK-NEXT: %v2[0]: uniform
; CHECK-NEXT: %v2[1]: affine
; CHECK-NEXT: %v2[2]: varying
; CHECK-NEXT: %v2[3]: uniform
; CHECK-NEXT: %e0: uniform
; CHECK-NEXT: %e1: affine
; CHECK-NEXT: %e2: varying
; CHECK-NEXT: %en: varying
; CHECK-NEXT: %vn[0]: uniform
; CHECK-NEXT: %vn[1]: uniform
; CHECK-NEXT: %vn[2]: uniform
; CHECK-NEXT: %vn[3]: uniform
; CHECK-NEXT: %vt[0]: varying
; CHECK-NEXT: %vt[1]: varying
; CHECK-NEXT: %vt[2]: varying
; CHECK-NEXT: %vt[3]: varying
; CHECK-NEXT: %s[0]: varying
; CHECK-NEXT: %s[1]: uniform
; CHECK-NEXT: %s[2]: affine
; CHECK-NEXT: %su[0]: uniform
; CHECK-NEXT: %su[1]: uniform
; CHECK-NEXT: %plus[0]: uniform
; CHECK-NEXT: %plus[1]: affine
; CHECK-NEXT: %plus[2]: varying
; CHECK-NEXT: %plus[3]: uniform
; CHECK-NEXT: %two[0]: uniform
; CHECK-NEXT: %two[1]: affine
; CHECK-NEXT: %sum: varying
; CHECK-NEXT: %alike[0]: uniform
; CHECK-NEXT: %alike[1]: uniform
; CHECK-NEXT: %sum2: uniform
; CHECK-NEXT: %cast: varying
; CHECK-NEXT: %casts[0]: uniform
; CHECK-NEXT: %casts[1]: varying
; CHECK-NEXT: %split[0]: varying
; CHECK-NEXT: %split[1]: varying
; CHECK-NEXT: %split[2]: varying
; CHECK-NEXT: %split[3]: varying
; CHECK-NEXT: %r0[0]: uniform
; CHECK-NEXT: %r0[1]: uniform
; CHECK-NEXT: %r0[2]: uniform
; CHECK-NEXT: %r0[3]: uniform
; CHECK-NEXT: %r0[4]: uniform
; CHECK-NEXT: %r1[0]: uniform
; CHECK-NEXT: %r1[1]: uniform
; CHECK-NEXT: %r1[2]: affine
; CHECK-NEXT: %r1[3]: uniform
; CHECK-NEXT: %r1[4]: uniform
; CHECK-NEXT: %r2[0]: uniform
; CHECK-NEXT: %r2[1]: uniform
; CHECK-NEXT: %r2[2]: affine
; CHECK-NEXT: %r2[3]: uniform
; CHECK-NEXT: %r2[4]: varying
; CHECK-NEXT: %f0: uniform
; CHECK-NEXT: %f1[0]: uniform
; CHECK-NEXT: %f1[1]: affine
; CHECK-NEXT: %f2: varying
; CHECK-NEXT: %min: uniform
; CHECK-NEXT: %minx: varying
; CHECK-NEXT: %simd: uniform
; CHECK-NEXT: %quad: varying
; CHECK-NEXT: %scan: varying
; CHECK-NEXT: %cast0: uniform
; CHECK-NEXT: %castn: uniform
; CHECK-NEXT: %castl: varying
; CHECK-NEXT: %castx: varying
; CHECK-NEXT: %old: varying
declare i32 @__mt_simd_sum_u32(i32)
declare i32 @__mt_simd_shuffle_u32(i32, i16)
declare i32 @__mt_simd_broadcast_u32(i32, i16)
declare i32 @__mt_quad_sum_u32(i32)
declare i32 @__mt_simd_prefix_exclusive_sum_u32(i32)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
declare i32 @llvm.umin.i32(i32, i32)
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %n = load i32, ptr %in
  %i16 = trunc i32 %n to i16
  %l16 = trunc i32 %thread_position_in_grid to i16
  %p = getelementptr i32, ptr %out, i32 %thread_position_in_grid
  %x = load i32, ptr %p
  %v0 = insertelement <4 x i32> undef, i32 %n, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %thread_position_in_grid, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %x, i32 2
  %e0 = extractelement <4 x i32> %v2, i32 0
  %e1 = extractelement <4 x i32> %v2, i32 1
  %e2 = extractelement <4 x i32> %v2, i32 2
  %en = extractelement <4 x i32> %v2, i32 %n
  %vn = insertelement <4 x i32> %v0, i32 %n, i32 %n
  %vt = insertelement <4 x i32> %v0, i32 %n, i32 %thread_position_in_grid
  %s = shufflevector <4 x i32> %v2, <4 x i32> %v0, <3 x i32> <i32 2, i32 4, i32 1>
  %su = shufflevector <4 x i32> %v2, <4 x i32> %v0, <2 x i32> <i32 undef, i32 5>
  %plus = add <4 x i32> %v2, %v2
  %two = shufflevector <4 x i32> %v2, <4 x i32> %v0, <2 x i32> <i32 0, i32 1>
  %sum = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %two)
  %alike = shufflevector <4 x i32> %v0, <4 x i32> %v0, <2 x i32> <i32 0, i32 0>
  %sum2 = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %alike)
  %cast = bitcast <2 x i32> %two to i64
  %casts = bitcast <2 x i32> %two to <2 x float>
  %split = bitcast <2 x i32> %two to <4 x i16>
  %r0 = insertvalue { i32, <2 x i32>, [2 x i32] } undef, i32 %n, 0
  %r1 = insertvalue { i32, <2 x i32>, [2 x i32] } %r0, <2 x i32> %two, 1
  %r2 = insertvalue { i32, <2 x i32>, [2 x i32] } %r1, i32 %x, 2, 1
  %f0 = extractvalue { i32, <2 x i32>, [2 x i32] } %r2, 0
  %f1 = extractvalue { i32, <2 x i32>, [2 x i32] } %r2, 1
  %f2 = extractvalue { i32, <2 x i32>, [2 x i32] } %r2, 2, 1
  %min = call i32 @llvm.umin.i32(i32 %n, i32 7)
  %minx = call i32 @llvm.umin.i32(i32 %n, i32 %thread_position_in_grid)
  %simd = call i32 @__mt_simd_sum_u32(i32 %x)
  %quad = call i32 @__mt_quad_sum_u32(i32 %x)
  %scan = call i32 @__mt_simd_prefix_exclusive_sum_u32(i32 %n)
  %cast0 = call i32 @__mt_simd_broadcast_u32(i32 %x, i16 3)
  %castn = call i32 @__mt_simd_shuffle_u32(i32 %x, i16 %i16)
  %castl = call i32 @__mt_simd_shuffle_u32(i32 %n, i16 %l16)
  %castx = call i32 @__mt_simd_shuffle_u32(i32 %x, i16 %l16)
  %old = atomicrmw add ptr %out, i32 1 monotonic
  ret void
}
