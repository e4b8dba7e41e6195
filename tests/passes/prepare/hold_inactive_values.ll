; A shuffle under a divergent branch may read from a lane that is not active:
; the value is held in a cell where it is computed.
; RUN: hold-inactive-values
; CHECK: define void @k(
; CHECK: %x = mul i32
; CHECK-NEXT: call void @__mt_simd_hold_u32(i32 0, i32 %x)
; CHECK: call i32 @__mt_simd_shuffle_up_u32(i32 %x
; CHECK-COUNT: 2 @__mt_simd_hold_u32(
; Where all lanes come to the shuffle nothing is held.
; RUN ALL: hold-inactive-values --kernel all
; ALL: define void @all(
; ALL: call i32 @__mt_simd_shuffle_up_u32(i32 %x, i32 1)
; ALL-NOT: @__mt_simd_hold_u32(
; ALL-NOT: !mt.held
declare i32 @__mt_simd_shuffle_up_u32(i32, i32)
define void @k(ptr %out, i32 %thread_index_in_simdgroup) {
entry:
  %x = mul i32 %thread_index_in_simdgroup, 3
  %c = icmp ugt i32 %thread_index_in_simdgroup, 0
  br i1 %c, label %then, label %done
then:
  %y = call i32 @__mt_simd_shuffle_up_u32(i32 %x, i32 1)
  store i32 %y, ptr %out
  br label %done
done:
  ret void
}
define void @all(ptr %out, i32 %thread_index_in_simdgroup) {
  %x = mul i32 %thread_index_in_simdgroup, 3
  %y = call i32 @__mt_simd_shuffle_up_u32(i32 %x, i32 1)
  store i32 %y, ptr %out
  ret void
}
