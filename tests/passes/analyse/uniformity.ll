; Values that are the same in all lanes, that differ by what is known, and that
; are anything; which branches part the lanes.
; RUN: uniformity
; CHECK: %same: uniform
; CHECK-NEXT: %next: affine
; CHECK-NEXT: %square: varying
; CHECK-NEXT: %p: affine
; CHECK-NEXT: %x: varying
; CHECK-NEXT: %first: uniform
; CHECK-NEXT: %v: varying
; CHECK: %sum: uniform
; CHECK: branch of %entry: divergent
; CHECK-NEXT: branch of %one: uniform
declare i32 @__mt_simd_sum_u32(i32)
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %same = load i32, ptr %in
  %next = add i32 %thread_position_in_grid, %same
  %square = mul i32 %next, %next
  %p = getelementptr i32, ptr %out, i32 %next
  %x = load i32, ptr %p
  %first = icmp eq i32 %same, 0
  %v = icmp eq i32 %x, 0
  br i1 %v, label %one, label %done
one:
  %sum = call i32 @__mt_simd_sum_u32(i32 %x)
  %z = icmp eq i32 %sum, 0
  br i1 %z, label %two, label %done
two:
  store i32 0, ptr %p
  br label %done
done:
  ret void
}
