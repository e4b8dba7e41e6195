; A float quotient stays where the source has it: of (x / 3) * y LLVM's fast
; math would make x * (y / 3).
; RUN: keep-quotients
; CHECK: fdiv
; CHECK-NOT: fdiv fast
; CHECK: fmul fast
; CHECK: sdiv
define void @k(ptr %out, float %x, float %y) {
  %q = fdiv fast float %x, 3.0
  %p = fmul fast float %q, %y
  %i = sdiv i32 7, 2
  store float %p, ptr %out
  ret void
}
