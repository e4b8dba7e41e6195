; The address of a position cannot be a constant: each thread has its own.
; RUN: builtins
; CHECK: ; error: the address of a program-scope built-in cannot be taken here
; CHECK: define void @k(
@gid = internal global i32 0, section ".msl.builtin", align 4
@at = internal global ptr @gid
define void @k(ptr %out) {
  %x = load i32, ptr @gid
  store i32 %x, ptr %out
  ret void
}
