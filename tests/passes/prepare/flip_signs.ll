; h & 4 ? -x : x moves the bit to the sign's place, by XOR: bit 2 goes up by 29.
; Where the bit keeps the sign, or two bits are tested, the selection stays.
; RUN: flip-signs
; CHECK: define void @k(
; CHECK: shl i32 %bit, 29
; CHECK: xor i32
; CHECK-NOT: %a = select
; CHECK: %b = select
; CHECK-COUNT: 1 xor
define void @k(ptr %out, i32 %h, float %x) {
  %bit = and i32 %h, 4
  %off = icmp eq i32 %bit, 0
  %minus = fneg float %x
  %a = select i1 %off, float %x, float %minus
  store float %a, ptr %out
  %bits = and i32 %h, 6
  %none = icmp eq i32 %bits, 0
  %b = select i1 %none, float %x, float %minus
  store float %b, ptr %out
  ret void
}
