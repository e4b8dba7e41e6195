; Functions that stay functions have their variables in registers, and what is
; not called is gone.
; RUN: simplify-called
; CHECK: define void @k(
; CHECK: define internal i32 @f(i32 %x)
; CHECK-NEXT: mul i32 %x, %x
; CHECK-NOT: alloca
; CHECK-NOT: @unused
define void @k(ptr %out) {
  %y = call i32 @f(i32 5)
  store i32 %y, ptr %out
  ret void
}
define internal i32 @f(i32 %x) {
  %v = alloca i32
  store i32 %x, ptr %v
  %a = load i32, ptr %v
  %b = mul i32 %a, %a
  ret i32 %b
}
define internal void @unused() {
  ret void
}
