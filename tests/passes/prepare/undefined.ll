; A divisor that is zero hides from LLVM, and is visible again afterwards; one
; that is a good constant stays as it is.
; RUN HIDE: hide-undefined
; HIDE-NOT: sdiv i32 %x, 0
; HIDE: sdiv i32 %x, %
; HIDE: sdiv i32 %x, 3
; HIDE-NOT: shl i32 %x, 40
; HIDE: shl i32 %x, %
; RUN SHOW: hide-undefined,show-undefined
; SHOW: sdiv i32 %x, 0
; SHOW: sdiv i32 %x, 3
; SHOW: shl i32 %x, 40
define void @k(ptr %out, i32 %x) {
  %a = sdiv i32 %x, 0
  %b = sdiv i32 %x, 3
  %c = shl i32 %x, 40
  store i32 %a, ptr %out
  store i32 %b, ptr %out
  store i32 %c, ptr %out
  ret void
}
