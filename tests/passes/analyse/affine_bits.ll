; Bits of positions: what is cut off or set below the lowest bit that the base
; can have changes the offsets alone; where lanes have bits in common with it
; nothing is known.
; RUN: affine --group 256
; CHECK: %thread_position_in_grid: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %low: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %low8: base + 8 from 0 by 0, 8 from 8 by 0, 8 from 0 by 0, 8 from 8 by 0, base a multiple of 32
; CHECK-NEXT: %high16: base + 16 from 0 by 0, 16 from 16 by 0, base a multiple of 32
; CHECK-NEXT: %or: base + 2 from 5 by 0, 2 from 7 by 0, 2 from 5 by 0, 2 from 7 by 0, 2 from 13 by 0,
; CHECK-NEXT: %or64: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %xor: base + 31 + -1 lane, base a multiple of 32
; CHECK-NEXT: %xorall: base + 31 + -1 lane, base a multiple of 32
; CHECK-NEXT: %half: base + 2 from 0 by 0, 2 from 1 by 0, 2 from 2 by 0, 2 from 3 by 0, 2 from 4 by 0,
; CHECK-NEXT: %sixteenth: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %next: base + 0 + 1 lane, base a multiple of 1
; CHECK-NEXT: %before: base + 0 + 1 lane, base a multiple of 1
; CHECK-NEXT: %times4: base + 0 + 4 lane, base a multiple of 128
; CHECK-NEXT: %inner: base + 3 + 4 lane, base a multiple of 128
; CHECK-NEXT: %inner4: base + 2 from 4 by 0, 2 from 12 by 0, 2 from 20 by 0, 2 from 28 by 0, 2 from 36 by 0,
; CHECK-NEXT: %join: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %joinx: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %join32: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %three: base + 0 + (0 + 1 lane) term 0, base a multiple of 32
; CHECK-NEXT: %quarter: base + 0 + 1 lane, base a multiple of 32
; CHECK-NEXT: %join32high: base + 16 from 0 by 0, 16 from 16 by 0, base a multiple of 32
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %n = load i32, ptr %in
  %low = and i32 %thread_position_in_grid, 31
  %low8 = and i32 %thread_position_in_grid, 8
  %high = and i32 %thread_position_in_grid, -32
  %high16 = and i32 %thread_position_in_grid, -16
  %or = or i32 %thread_position_in_grid, 5
  %or64 = or i32 %thread_position_in_grid, 64
  %xor = xor i32 %thread_position_in_grid, 31
  %xorall = xor i32 %thread_position_in_grid, -1
  %half = lshr i32 %thread_position_in_grid, 1
  %sixteenth = lshr i32 %thread_position_in_grid, 4
  %sg = lshr i32 %thread_position_in_grid, 5
  %far = lshr i32 %thread_position_in_grid, 31
  %none = lshr i32 %thread_position_in_grid, 32
  %next = add i32 %thread_position_in_grid, 1
  %carry = and i32 %next, 31
  %before = sub i32 %thread_position_in_grid, 1
  %borrow = and i32 %before, 31
  %ashr = ashr i32 %thread_position_in_grid, 1
  %times4 = shl i32 %thread_position_in_grid, 2
  %inner = or i32 %times4, 3
  %inner4 = or i32 %times4, 4
  %n64 = shl i32 %n, 6
  %join = or i32 %n64, %thread_position_in_grid
  %joinx = xor i32 %thread_position_in_grid, %n64
  %n32 = shl i32 %n, 5
  %join32 = or i32 %n32, %thread_position_in_grid
  %n16 = shl i32 %n, 4
  %join16 = or i32 %n16, %thread_position_in_grid
  %joina = and i32 %n64, %thread_position_in_grid
  %three = mul i32 %thread_position_in_grid, %n
  %bits3 = and i32 %three, 31
  %quarter = lshr i32 %times4, 2
  %cut = lshr i32 %n64, 6
  %joincut = or i32 %cut, %thread_position_in_grid
  %join16high = or i32 %n16, %high16
  %join32high = or i32 %n32, %high16
  ret void
}
