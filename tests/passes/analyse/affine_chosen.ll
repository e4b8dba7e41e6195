; What is chosen part by part: one condition for all parts, or one for each.
; RUN: affine --group 256
; CHECK: %grid[0]: base + 0 + 1 lane
; CHECK-NEXT: %grid[1]: base + 0 + 1 lane
; CHECK-NEXT: %more[0]: base + 0 + 1 lane
; CHECK-NEXT: %more[1]: base + 0 + 1 lane
; CHECK-NEXT: %alike[0]: base + 0 + 1 lane
; CHECK-NEXT: %alike[1]: base + 0 + 1 lane
; CHECK-NEXT: %each[0]: base + 0 + 1 lane
; CHECK-NEXT: %each[1]: base + 0 + 1 lane
; CHECK-NEXT: %apart[0]: base + 0 + 1 lane
; CHECK-NEXT: %other[1]: base + 0 + 1 lane
; CHECK-NOT: %apart[1]
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %n = load i32, ptr %in
  %p = getelementptr i32, ptr %out, i32 %thread_position_in_grid
  %x = load i32, ptr %p
  %c = icmp ult i32 %n, 5
  %d = icmp ult i32 %x, 5
  %first = insertelement <2 x i32> undef, i32 %thread_position_in_grid, i32 0
  %grid = insertelement <2 x i32> %first, i32 %thread_position_in_grid, i32 1
  %n0 = insertelement <2 x i32> undef, i32 %n, i32 0
  %nn = insertelement <2 x i32> %n0, i32 %n, i32 1
  %more = add <2 x i32> %grid, %nn
  %c0 = insertelement <2 x i1> undef, i1 %c, i32 0
  %cc = insertelement <2 x i1> %c0, i1 %c, i32 1
  %cd = insertelement <2 x i1> %c0, i1 %d, i32 1
  %d0 = insertelement <2 x i1> undef, i1 %d, i32 0
  %dc = insertelement <2 x i1> %d0, i1 %c, i32 1
  %alike = select i1 %c, <2 x i32> %grid, <2 x i32> %more
  %each = select <2 x i1> %cc, <2 x i32> %grid, <2 x i32> %more
  %apart = select <2 x i1> %cd, <2 x i32> %grid, <2 x i32> %more
  %other = select <2 x i1> %dc, <2 x i32> %grid, <2 x i32> %more
  ret void
}
