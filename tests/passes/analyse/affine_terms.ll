; Numbers that are the same in all lanes, times offsets that are known: terms;
; what is added to equal terms, subtracted from them, scaled, widened, chosen.
; RUN: affine --group 16,16
; CHECK: %thread_position_in_threadgroup[0]: 16 from 0 by 1, 16 from 0 by 1
; CHECK-NEXT: %thread_position_in_threadgroup[1]: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %thread_position_in_grid[0]: base + 16 from 0 by 1, 16 from 0 by 1, base a multiple of 16
; CHECK-NEXT: %thread_position_in_grid[1]: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %x: 16 from 0 by 1, 16 from 0 by 1
; CHECK-NEXT: %y: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %gx: base + 16 from 0 by 1, 16 from 0 by 1, base a multiple of 16
; CHECK-NEXT: %gy: base + 16 from 0 by 0, 16 from 1 by 0, base a multiple of 2
; CHECK-NEXT: %yn: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %ny: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %ym: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %both: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %xn: base + 0 + (16 from 0 by 1, 16 from 0 by 1) term 0, base a multiple of 4294967296
; CHECK-NEXT: %two: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0 + (16 from 0 by 1, 16 from 0 by 1) term 1,
; CHECK-NEXT: %apart: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0 + (16 from 0 by -1,
; CHECK-NEXT: %less: base + 16 from 0 by 1, 16 from 0 by 1 + (16 from 0 by 0, 16 from -1 by 0) term 0,
; CHECK-NEXT: %four: base + 0 + (16 from 0 by 0, 16 from 4 by 0) term 0 + (16 from 0 by 4, 16 from 0 by 4) term 1,
; CHECK-NEXT: %minus: base + 0 + (16 from 0 by 0, 16 from -3 by 0) term 0 + (16 from 0 by -3,
; CHECK-NEXT: %zero: base + 0 + (0) term 0 + (0) term 1, base a multiple of 4294967296
; CHECK-NEXT: %byte: base + 0 + (16 from 0 by 0, 16 from 4 by 0) term 0 + (16 from 0 by 4, 16 from 0 by 4) term 1,
; CHECK-NEXT: %same: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %own: base + 16 from 0 by 1, 16 from 0 by 1, base a multiple of 4294967296
; CHECK-NEXT: %at: base + 16 from 0 by 1, 16 from 0 by 1 + (16 from 0 by 0, 16 from 1 by 0) term 0,
; CHECK-NEXT: %p: base + 16 from 0 by 4, 16 from 0 by 4 + (16 from 4 by 0,
; CHECK-NEXT: %q: base + 16 from 0 by 20, 16 from 4 by 20, base a multiple of 1
; CHECK-NEXT: %gn: base + 0 + (16 from 0 by 0, 16 from 1 by 0) term 0, base a multiple of 2
; CHECK-NEXT: %gat: base + 16 from 0 by 1, 16 from 0 by 1 + (16 from 0 by 0, 16 from 1 by 0) term 0,
; CHECK-NEXT: %r: base + 16 from 0 by 4, 16 from 0 by 4 + (16 from 4 by 0,
; CHECK-NEXT: %wyn: base + 0 + (16 from 1 by 0, 16 from 0 by 0) term 0 + (16 from 0 by 0, 16 from 1 by 0) term 1,
; CHECK-NEXT: %wym: base + 0 + (16 from 1 by 0, 16 from 0 by 0) term 0 + (16 from 0 by 0, 16 from 1 by 0) term 1,
; CHECK-NEXT: %wide: base + 0 + (16 from 1 by 0, 16 from 0 by 0) term 0 + (16 from 0 by 0, 16 from 1 by 0) term 1,
; RUN ROW: affine --group 64 --kernel row
; ROW: %thread_position_in_grid: base + 0 + 1 lane, base a multiple of 32
; ROW-NEXT: %down: base + 0 + -1 lane, base a multiple of 4
; ROW-NEXT: %plus: base + 0 + 1 lane, base a multiple of 1
; ROW-NEXT: %mul: base + 0 + 12 lane, base a multiple of 128
; ROW-NEXT: %shl: base + 2 from 0 by 1073741824, 4 from -2147483648 by 1073741824,
; ROW-NEXT: %nsw: base + 0 + 1 lane, base a multiple of 1
; ROW-NEXT: %wide: base + 0 + 1 lane, base a multiple of 1, as an address only
; ROW-NEXT: %more: base + 0 + 1 lane, base a multiple of 1, as an address only
; ROW-NEXT: %exact: base + 0 + 1 lane, base a multiple of 32
; ROW-NEXT: %back: base + 0 + 1 lane, base a multiple of 1
; ROW-NEXT: %small: base + 2 from 0 by -4, 2 from 0 by -4, 2 from 0 by -4, 2 from 0 by -4, 2 from 0 by -4,
; ROW-NEXT: %p: base + 0 + 6 lane, base a multiple of 1
; ROW-NEXT: %q: base + 0 + 6 lane, base a multiple of 1
; ROW-NEXT: %int: base + 0 + 6 lane, base a multiple of 1
; ROW-NEXT: %again: base + 0 + 6 lane, base a multiple of 1
; ROW-NEXT: %sel: base + 0 + 6 lane, base a multiple of 1
; ROW-NEXT: %selp: base + 0 + 1 lane, base a multiple of 1
; ROW-NEXT: %or: base + 0 + 12 lane, base a multiple of 1
define void @k(ptr %out, ptr "constant" %in, <2 x i32> %thread_position_in_threadgroup, <2 x i32> %thread_position_in_grid) {
  %n = load i32, ptr %in
  %m = load i32, ptr %out
  %c = icmp ult i32 %n, 5
  %x = extractelement <2 x i32> %thread_position_in_threadgroup, i32 0
  %y = extractelement <2 x i32> %thread_position_in_threadgroup, i32 1
  %gx = extractelement <2 x i32> %thread_position_in_grid, i32 0
  %gy = extractelement <2 x i32> %thread_position_in_grid, i32 1
  %yn = mul i32 %y, %n
  %ny = mul i32 %n, %y
  %ym = mul i32 %y, %m
  %both = add i32 %yn, %ym
  %xn = mul i32 %x, %n
  %two = add i32 %yn, %xn
  %apart = sub i32 %yn, %xn
  %less = sub i32 %x, %yn
  %four = shl i32 %two, 2
  %minus = mul i32 %two, -3
  %zero = mul i32 %two, 0
  %byte = trunc i32 %four to i8
  %long = zext i32 %two to i64
  %chosen = select i1 %c, i32 %two, i32 %apart
  %same = select i1 %c, i32 %yn, i32 %ym
  %other = select i1 %c, i32 %x, i32 %y
  %own = select i1 %c, i32 %x, i32 %x
  %square = mul i32 %x, %y
  %at = add i32 %yn, %x
  %p = getelementptr float, ptr %out, i32 %at
  %q = getelementptr { i32, [4 x i32] }, ptr %out, i32 %x, i32 1, i32 %y
  %gn = mul i32 %gy, %n
  %gat = add i32 %gn, %gx
  %r = getelementptr float, ptr %out, i32 %gat
  %wyn = sext i32 %yn to i64
  %wym = sext i32 %ym to i64
  %wide = add i64 %wyn, %wym
  ret void
}
define void @row(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %n = load i32, ptr %in
  %c = icmp ult i32 %n, 5
  %down = sub i32 100, %thread_position_in_grid
  %plus = add i32 %thread_position_in_grid, %n
  %mul = mul i32 %thread_position_in_grid, 12
  %shl = shl i32 %thread_position_in_grid, 30
  %shl32 = shl i32 %thread_position_in_grid, 32
  %shln = shl i32 %thread_position_in_grid, %n
  %zero = sub i32 %thread_position_in_grid, %thread_position_in_grid
  %nsw = add nsw i32 %thread_position_in_grid, 3
  %wide = sext i32 %nsw to i64
  %more = add i64 %wide, 1
  %exact = sext i32 %thread_position_in_grid to i64
  %back = trunc i64 %more to i32
  %small = trunc i32 %mul to i3
  %p = getelementptr [3 x i16], ptr %out, i64 %exact
  %q = getelementptr [3 x i16], ptr %p, i32 0, i32 2
  %int = ptrtoint ptr %q to i64
  %int32 = ptrtoint ptr %q to i32
  %again = inttoptr i64 %int to ptr
  %sel = select i1 %c, ptr %p, ptr %q
  %selp = select i1 %c, i32 %plus, i32 %thread_position_in_grid
  %two = icmp ult i32 %thread_position_in_grid, 40
  %sely = select i1 %two, i32 %plus, i32 %plus
  %frozen = freeze i32 %plus
  %or = or disjoint i32 %mul, 3
  %float = uitofp i32 %plus to float
  ret void
}
