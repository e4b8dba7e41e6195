; A list of 65 addresses cannot be followed.
; RUN: threadgroup-uses
; CHECK: error: the address of threadgroup variable 'a' is used in a way the host device cannot follow
@a = internal global i8 undef, section ".msl.threadgroup"
define void @k(ptr %out) {
  store [65 x ptr] [
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a,
    ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a, ptr @a], ptr %out
  ret void
}
