; Which constants are right for sure: a divisor that is neither 0 nor, signed, -1;
; a shift by less than the width. Vectors have their guard in each component, up
; to 64 of them; integers of more than 64 bits, and shifts of widths that are no
; power of two, stay.
; RUN: guard-integers
; CHECK: define void @k(
; CHECK-NEXT: %a = udiv i32 %x, -1
; CHECK-NEXT: icmp eq i32 %x, -2147483648
; CHECK: select i1 %
; CHECK-NEXT: %b = sdiv i32 %x, %
; CHECK-NEXT: %c = srem i32 %x, 1
; CHECK-NEXT: %d = udiv i32 %x, 1
; CHECK-NEXT: %e = shl i32 %x, 31
; CHECK-NEXT: %f = shl i32 %x, 0
; CHECK-NEXT: %g = lshr i32 %x, 1
; CHECK-NEXT: %h = sdiv i32 %x, -2
; CHECK-NEXT: icmp eq i64 %l, 0
; CHECK-NEXT: icmp eq i64 %l, -1
; CHECK-NEXT: icmp eq i64 %l, -9223372036854775808
; CHECK: %i = sdiv i64 %l, %
; CHECK-NEXT: and i64 %l, 63
; CHECK-NEXT: %j = shl i64 %l, %
; CHECK-NEXT: ret void
; RUN WIDE: guard-integers --kernel wide
; WIDE: define void @wide(
; WIDE-NEXT: %a = sdiv i65 %x, %x
; WIDE-NEXT: %b = udiv i128 %y, %y
; WIDE-NEXT: %c = shl i128 %y, %y
; WIDE-NEXT: %d = shl i33 %z, %z
; WIDE-NEXT: %e = sdiv <65 x i8> %v, %v
; WIDE-NEXT: %f = shl <65 x i8> %v, %v
; WIDE-NEXT: ret void
; RUN PARTS: guard-integers --kernel parts
; PARTS: define void @parts(
; PARTS-NEXT: icmp eq <2 x i32> %x, zeroinitializer
; PARTS-NEXT: icmp eq <2 x i32> %x, splat (i32 -1)
; PARTS-NEXT: icmp eq <2 x i32> %x, splat (i32 -2147483648)
; PARTS: select <2 x i1> %5, <2 x i32> splat (i32 1), <2 x i32> %x
; PARTS-NEXT: %a = sdiv <2 x i32> %x, %6
; PARTS-NEXT: and <2 x i32> %x, splat (i32 31)
; PARTS: and <64 x i8> %v, splat (i8 7)
define void @k(i32 %x, i64 %l) {
  %a = udiv i32 %x, -1
  %b = sdiv i32 %x, -1
  %c = srem i32 %x, 1
  %d = udiv i32 %x, 1
  %e = shl i32 %x, 31
  %f = shl i32 %x, 32
  %g = lshr i32 %x, 33
  %h = sdiv i32 %x, -2
  %i = sdiv i64 %l, %l
  %j = shl i64 %l, %l
  ret void
}
define void @wide(i65 %x, i128 %y, i33 %z, <65 x i8> %v) {
  %a = sdiv i65 %x, %x
  %b = udiv i128 %y, %y
  %c = shl i128 %y, %y
  %d = shl i33 %z, %z
  %e = sdiv <65 x i8> %v, %v
  %f = shl <65 x i8> %v, %v
  ret void
}
define void @parts(<2 x i32> %x, <64 x i8> %v) {
  %a = sdiv <2 x i32> %x, %x
  %b = shl <2 x i32> %x, %x
  %c = lshr <64 x i8> %v, %v
  ret void
}
