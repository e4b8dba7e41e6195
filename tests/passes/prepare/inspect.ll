; Memory that every thread needs is refused above 128 KiB, as is a function
; without a body. Variables are at multiples of 16.
; RUN: inspect
; CHECK: alloca [4 x i32], align 16
; RUN LARGE: inspect --kernel large
; LARGE: error: kernel 'large' needs 128 KiB of private memory for each thread
; RUN ALMOST: inspect --kernel almost
; ALMOST: define void @almost(
; RUN MISSING: inspect --kernel missing
; MISSING: error: kernel 'missing' calls 'f', which is declared but has no body
; RUN SELF: inspect --kernel self
; SELF: error: kernel 'self' calls a function that calls itself
; RUN POINTER: inspect --kernel pointer
; POINTER: error: kernel 'pointer' calls a function through a pointer
; RUN ASSEMBLY: inspect --kernel assembly
; ASSEMBLY: error: kernel 'assembly' has inline assembly
declare void @f()
define void @k(ptr %out) {
  %a = alloca [4 x i32], align 4
  ret void
}
define void @large() {
  %a = alloca [32769 x i32]
  ret void
}
define void @almost() {
  %a = alloca [32768 x i32]
  ret void
}
define void @missing() {
  call void @f()
  ret void
}
define void @self() {
  call void @self()
  ret void
}
define void @pointer(ptr %p) {
  call void %p()
  ret void
}
define void @assembly() {
  call void asm sideeffect "nop", ""()
  ret void
}
