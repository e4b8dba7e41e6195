; What loads and stores become: contiguous ones, one place for all, and anywhere.
; RUN: accesses
; CHECK: load, uniform
; CHECK: load, contiguous
; CHECK: load, gather
; CHECK: store, contiguous
define void @k(ptr %in, ptr %out, i32 %thread_position_in_grid) {
  %a = load i32, ptr %in
  %p = getelementptr i32, ptr %in, i32 %thread_position_in_grid
  %b = load i32, ptr %p
  %q = getelementptr i32, ptr %in, i32 %b
  %c = load i32, ptr %q
  %d = add i32 %a, %c
  %r = getelementptr i32, ptr %out, i32 %thread_position_in_grid
  store i32 %d, ptr %r
  ret void
}
