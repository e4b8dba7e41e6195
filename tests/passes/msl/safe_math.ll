; Operations without reassoc lose the other fast-math flags but contract; those
; with it keep theirs.
; RUN: safe-math
; CHECK: define void @k(
; CHECK: %1 = fadd contract float %x, %y
; CHECK-NEXT: %b = fadd fast float
; CHECK-NEXT: %2 = fadd float %x, %y
define void @k(ptr %out, float %x, float %y) {
  %a = fadd nsz contract afn float %x, %y
  %b = fadd fast float %x, %y
  %c = fadd nsz float %x, %y
  ret void
}
