; A list of 64 addresses can be followed.
; RUN: threadgroup-uses
; CHECK: = insertvalue [64 x ptr] %63, ptr @a, 63
; CHECK-COUNT: 64 insertvalue
@a = internal global i8 undef, section ".msl.threadgroup"
define void @k(ptr %out) {
  store [64 x ptr] [
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a], ptr %out
  ret void
}
