; llvm.ldexp becomes two products on a machine without an instruction for it,
; and stays where there is one.
; RUN: expand-ldexp
; CHECK-NOT: call float @llvm.ldexp
; CHECK: ashr i32 %n, 1
; CHECK-NEXT: add i32 %1, 127
; CHECK-NEXT: shl i32 %2, 23
; CHECK: %6 = sub i32 %n, %1
; CHECK-NEXT: add i32 %6, 127
; CHECK-COUNT: 2 = fmul
; RUN NATIVE: expand-ldexp --target x86_64-linux-gnu,x86-64-v4
; NATIVE: call float @llvm.ldexp
; NATIVE-NOT: fmul
declare float @llvm.ldexp.f32.i32(float, i32)
define void @k(ptr %out, float %x, i32 %n) {
  %y = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store float %y, ptr %out
  ret void
}
