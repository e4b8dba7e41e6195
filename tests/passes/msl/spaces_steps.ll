; A step from a variable of the thread's own leads to the thread's own memory,
; one from a buffer to device memory.
; RUN: spaces
; CHECK: define void @k(
; CHECK: store volatile i32 0, ptr %out
; CHECK-NEXT: store volatile i32 1, ptr %out
; CHECK-NEXT: store volatile i32 3, ptr %out
; CHECK-NOT: error:
declare i32 @__mt_space(ptr)
@tile = internal global [4 x i32] undef, section ".msl.threadgroup"
define void @k(ptr %out, i32 %i) {
  %own = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %own, i32 0, i32 %i
  %q = getelementptr i32, ptr %out, i32 %i
  %r = getelementptr i32, ptr @tile, i32 %i
  %a = call i32 @__mt_space(ptr %p)
  %b = call i32 @__mt_space(ptr %q)
  %c = call i32 @__mt_space(ptr %r)
  store volatile i32 %a, ptr %out
  store volatile i32 %b, ptr %out
  store volatile i32 %c, ptr %out
  ret void
}
