; A float's bits as an integer go through a move that LLVM does not see through.
; RUN: ptx-float-bits
; CHECK: bitcast float %x to i32
; CHECK-NEXT: %2 = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %1)
; CHECK-NEXT: %c = trunc i32 %2 to i8
define void @k(ptr %out, float %x) {
  %b = bitcast float %x to i32
  %c = trunc i32 %b to i8
  store i8 %c, ptr %out
  ret void
}
