; Division by zero, and of the least number by -1, divides by 1 instead; a shift
; takes its amount modulo the width. What is right for sure stays.
; RUN: guard-integers
; CHECK: define void @k(
; CHECK: icmp eq i32 %y, 0
; CHECK-NEXT: icmp eq i32 %y, -1
; CHECK-NEXT: icmp eq i32 %x, -2147483648
; CHECK-NEXT: and i1
; CHECK-NEXT: or i1
; CHECK-NEXT: select i1
; CHECK-NEXT: %a = sdiv i32 %x, %
; CHECK-NEXT: icmp eq i32 %y, 0
; CHECK-NEXT: select i1
; CHECK-NEXT: %b = urem i32 %x, %
; CHECK-COUNT: 2 i32 1, i32 %y
; CHECK-NEXT: %c = sdiv i32 %x, 7
; CHECK-NEXT: and i32 %y, 31
; CHECK-NEXT: %d = shl i32 %x, %
; CHECK-NEXT: %e = lshr i32 %x, 4
; CHECK-NEXT: and i8 %z, 7
; CHECK-NEXT: %f = ashr i8 %z, %
define void @k(ptr %out, i32 %x, i32 %y, i8 %z) {
  %a = sdiv i32 %x, %y
  %b = urem i32 %x, %y
  %c = sdiv i32 %x, 7
  %d = shl i32 %x, %y
  %e = lshr i32 %x, 4
  %f = ashr i8 %z, %z
  ret void
}
