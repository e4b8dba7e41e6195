; Globals and functions without a use are gone.
; RUN: drop-unused
; CHECK: @used
; CHECK: define void @k(
; CHECK-NOT: @idle
@used = internal constant i32 7
@idle = internal constant i32 8
define void @k(ptr %out) {
  %x = load i32, ptr @used
  store i32 %x, ptr %out
  ret void
}
define internal void @idle_too() {
  %x = load i32, ptr @idle
  ret void
}
