; The memory that pointers lead to, and which cannot overlap: buffers of a launch
; without overlaps, and a buffer and a variable.
; RUN: noalias-scopes,address-spaces --no-overlap
; CHECK: %out: device, of %out
; CHECK-NEXT: apart from %in
; CHECK-NEXT: apart from @tile
; CHECK-NEXT: apart from %own
; CHECK-NEXT: apart from %args
; CHECK-NEXT: may overlap %inner
; CHECK-NEXT: %in: constant, of %in
; CHECK: @tile: threadgroup
; CHECK: %own: private, the thread's own
; CHECK: %args: device, of %args
; CHECK: %inner: device
; RUN MAY: address-spaces
; MAY: %out: device, of %out
; MAY-NEXT: may overlap %in
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out, ptr "constant" %in, ptr %args, i32 %thread_position_in_grid) {
  %own = alloca i32
  store i32 1, ptr %out
  %x = load i32, ptr %in
  store i32 %x, ptr @tile
  store i32 %thread_position_in_grid, ptr %own
  %inner = load ptr, ptr %args
  store i32 3, ptr %inner
  ret void
}
