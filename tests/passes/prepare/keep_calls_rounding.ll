; A kernel with arithmetic that may be rounded in several ways keeps no function:
; quick and optimised code would differ.
; RUN: keep-calls
; CHECK: error: a function cannot stay a function
define void @k(ptr %out, float %x) {
  %y = fmul fast float %x, %x
  store float %y, ptr %out
  ret void
}
