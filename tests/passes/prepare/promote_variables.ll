; Local variables are in registers before values for inactive lanes are kept: a
; kernel without a shuffle is left as it is.
; RUN: promote-variables
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK: call i32 @__mt_simd_shuffle_u32(
; RUN PLAIN: promote-variables --kernel plain
; PLAIN: define void @plain(
; PLAIN: alloca i32
declare i32 @__mt_simd_shuffle_u32(i32, i32)
define void @k(ptr %out, i32 %n) {
  %v = alloca i32
  store i32 %n, ptr %v
  %x = load i32, ptr %v
  %y = call i32 @__mt_simd_shuffle_u32(i32 %x, i32 1)
  store i32 %y, ptr %out
  ret void
}
define void @plain(ptr %out, i32 %n) {
  %v = alloca i32
  store i32 %n, ptr %v
  %x = load i32, ptr %v
  store i32 %x, ptr %out
  ret void
}
