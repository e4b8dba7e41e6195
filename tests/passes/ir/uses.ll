; What a kernel does with the memory of its parameters: through steps and
; selects, in pointers that an argument buffer holds, and not at all.
; RUN: uses
; CHECK: %in: read, inside neither
; CHECK-NEXT: %out: written, inside neither
; CHECK-NEXT: %both: read and written, inside neither
; CHECK-NEXT: %left: neither, inside neither
; CHECK-NEXT: %args: read, inside
; CHECK-NEXT: %args, pointer at byte 8: written
define void @k(ptr %in, ptr %out, ptr %both, ptr %left, ptr %args, i32 %thread_position_in_grid) {
  %p = getelementptr i32, ptr %in, i32 %thread_position_in_grid
  %x = load i32, ptr %p
  %c = icmp eq i32 %x, 0
  %q = select i1 %c, ptr %out, ptr %both
  store i32 %x, ptr %q
  %y = load i32, ptr %both
  %at = getelementptr i8, ptr %args, i64 8
  %inner = load ptr, ptr %at
  store i32 %y, ptr %inner
  ret void
}
