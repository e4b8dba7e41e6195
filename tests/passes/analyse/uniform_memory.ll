; A private array that holds the same in all lanes has one copy; one with
; something of the thread in it, or at its place, one for each lane.
; RUN: uniform-memory
; CHECK: %same: one copy for all lanes
; CHECK-NEXT: %own: a copy for each lane
; CHECK-NEXT: %place: a copy for each lane
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %same = alloca [4 x i32]
  %own = alloca [4 x i32]
  %place = alloca [4 x i32]
  %x = load i32, ptr %in
  %p = getelementptr [4 x i32], ptr %same, i32 0, i32 1
  store i32 %x, ptr %p
  %q = getelementptr [4 x i32], ptr %own, i32 0, i32 1
  store i32 %thread_position_in_grid, ptr %q
  %m = and i32 %thread_position_in_grid, 3
  %r = getelementptr [4 x i32], ptr %place, i32 0, i32 %m
  store i32 %x, ptr %r
  %y = load i32, ptr %p
  %z = load i32, ptr %q
  %w = load i32, ptr %r
  store i32 %y, ptr %out
  store i32 %z, ptr %out
  store i32 %w, ptr %out
  ret void
}
