; Offsets from lane to lane, and factors of terms: of a position in the grid, of
; positions in a group 16 wide, and of addresses made of them.
; RUN: affine --group 16,16
; CHECK: %x: 16 from 0 by 1, 16 from 0 by 1
; CHECK-NEXT: %y: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %row: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %at: base + 16 from 0 by 1, 16 from 0 by 1 + (16 from 0 by 0, 16 from 1 by 0) term 0
; CHECK-NOT: %mixed
; RUN LINE: affine --kernel line
; LINE: %four: base + 0 + 4 lane, base a multiple of 128
; LINE: %p: base + 0 + 16 lane
; LINE: %half: base + 0 + 4 lane, base a multiple of 8
define void @k(ptr %out, ptr "constant" %in, <2 x i32> %thread_position_in_threadgroup) {
  %n = load i32, ptr %in
  %x = extractelement <2 x i32> %thread_position_in_threadgroup, i32 0
  %y = extractelement <2 x i32> %thread_position_in_threadgroup, i32 1
  %row = mul i32 %y, %n
  %at = add i32 %row, %x
  %mixed = mul i32 %x, %y
  ret void
}
define void @line(ptr %out, i32 %thread_position_in_grid) {
  %four = shl i32 %thread_position_in_grid, 2
  %p = getelementptr i32, ptr %out, i32 %four
  %half = add i32 %four, 8
  ret void
}
