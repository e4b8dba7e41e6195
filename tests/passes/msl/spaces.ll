; __mt_space asks which memory a pointer leads to: 0 the thread's own, 1
; device, 2 constant, 3 threadgroup; through steps and selects too.
; RUN: spaces
; CHECK: define void @k(
; CHECK: store volatile i32 1, ptr %out
; CHECK-NEXT: store volatile i32 2, ptr %out
; CHECK-NEXT: store volatile i32 3, ptr %out
; CHECK-NEXT: store volatile i32 0, ptr %out
; CHECK-NEXT: store volatile i32 0, ptr %out
; CHECK-NOT: call i32 @__mt_space(
declare i32 @__mt_space(ptr)
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out, ptr "constant" %in, i1 %x) {
  %own = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %own, i32 0, i32 2
  %s = select i1 %x, ptr %p, ptr %own
  %a = call i32 @__mt_space(ptr %out)
  %b = call i32 @__mt_space(ptr %in)
  %c = call i32 @__mt_space(ptr @tile)
  %d = call i32 @__mt_space(ptr %own)
  %e = call i32 @__mt_space(ptr %s)
  store volatile i32 %a, ptr %out
  store volatile i32 %b, ptr %out
  store volatile i32 %c, ptr %out
  store volatile i32 %d, ptr %out
  store volatile i32 %e, ptr %out
  ret void
}
