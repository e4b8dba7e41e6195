; A bit is tested for 0, either way, in any place of a word; the selection stays
; where the comparison is another one, the number no AND with one bit, no word or
; not compared with 0, or where the other value is not the negated one.
; RUN: flip-signs
; CHECK: define void @k(
; CHECK: shl i32 %bit31, 0
; CHECK: %b = select
; CHECK: %c = select
; CHECK: %d = select
; CHECK: %e = select
; CHECK: %f = select
; CHECK: %g = select
; CHECK: shl i32 %bit0, 31
; CHECK-COUNT: 2 xor i32 %
; CHECK-NOT: %a = select
; CHECK-NOT: %h2 = select
define void @k(ptr %out, i32 %h, float %x, float %y, i64 %l, i1 %q) {
  %minus = fneg float %x
  %other = fneg float %y
  %bit31 = and i32 %h, -2147483648
  %bit0 = and i32 %h, 1
  %bit2 = and i32 %h, 4
  %or = or i32 %h, 4
  %some = and i32 %h, %h
  %long = and i64 %l, 4
  %on = icmp ne i32 %bit31, 0
  %a = select i1 %on, float %minus, float %x
  store volatile float %a, ptr %out
  %above = icmp ugt i32 %bit2, 0
  %b = select i1 %above, float %x, float %minus
  store volatile float %b, ptr %out
  %no = icmp eq i32 %or, 0
  %c = select i1 %no, float %x, float %minus
  store volatile float %c, ptr %out
  %wide = icmp eq i64 %long, 0
  %d = select i1 %wide, float %x, float %minus
  store volatile float %d, ptr %out
  %four = icmp eq i32 %bit2, 4
  %e = select i1 %four, float %x, float %minus
  store volatile float %e, ptr %out
  %zero = icmp eq i32 %bit2, 0
  %f = select i1 %zero, float %x, float %other
  store volatile float %f, ptr %out
  %g = select i1 %q, float %x, float %minus
  store volatile float %g, ptr %out
  %even = icmp eq i32 %bit0, 0
  %h2 = select i1 %even, float %x, float %minus
  store volatile float %h2, ptr %out
  ret void
}
