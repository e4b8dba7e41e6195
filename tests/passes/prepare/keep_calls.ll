; Functions that stay functions: one of integers is not inlined; one that ends
; the thread is, and one that uses threadgroup memory.
; RUN: internalise,keep-calls,inline-calls
; CHECK: define void @k(
; CHECK: call i32 @plain(
; CHECK-NOT: call i32 @ends(
; CHECK-NOT: call void @shared(
; CHECK: store i32 7, ptr @tile
; CHECK: define internal i32 @plain(
@tile = internal global i32 undef, section ".msl.threadgroup"
define void @k(ptr %out) {
  %x = load i32, ptr %out
  %y = call i32 @plain(i32 %x)
  %z = call i32 @ends(i32 %y)
  call void @shared()
  store i32 %z, ptr %out
  ret void
}
define internal i32 @plain(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define internal i32 @ends(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %end, label %on
end:
  unreachable
on:
  ret i32 %x
}
define internal void @shared() {
  store i32 7, ptr @tile
  ret void
}
