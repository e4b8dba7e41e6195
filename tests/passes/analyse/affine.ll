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
; RUN SUMS: affine --kernel sums
; SUMS: %down: base + 0 + -1 lane
; SUMS: %minus: base + 0 + -1 lane
; SUMS: %three: base + 0 + 3 lane, base a multiple of 32
; SUMS: %lane: 0 + 1 lane
; SUMS: %up: 5 + 1 lane
; SUMS: %wide: base + 0 + 1 lane
; SUMS: %or: base + 1 + 2 lane, base a multiple of 64
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
define void @sums(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid, i32 %thread_index_in_simdgroup) {
  %n = load i32, ptr %in
  %down = sub i32 0, %thread_position_in_grid
  %minus = sub i32 %n, %thread_position_in_grid
  %three = mul i32 %thread_position_in_grid, 3
  %lane = add i32 %thread_index_in_simdgroup, 0
  %up = add i32 %thread_index_in_simdgroup, 5
  %wide = zext i32 %thread_position_in_grid to i64
  %twice = shl i32 %thread_position_in_grid, 1
  %or = or i32 %twice, 1
  ret void
}
