; Functions of a large kernel are simplified before they are inlined, the called
; ones first: each of these calls the next one twice, so that with all calls
; inlined there would be a hundred thousand instructions.
; RUN: internalise,callees-first
; CHECK: define void @k(
; CHECK: mul i32 %thread_position_in_grid, 1954152449
; CHECK-NOT: call i32
; CHECK-NOT: alloca
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %y = call i32 @f0(i32 %thread_position_in_grid)
  store i32 %y, ptr %out
  ret void
}
define i32 @f0(i32 %x) {
  %a = call i32 @f1(i32 %x)
  %b = call i32 @f1(i32 %a)
  ret i32 %b
}
define i32 @f1(i32 %x) {
  %a = call i32 @f2(i32 %x)
  %b = call i32 @f2(i32 %a)
  ret i32 %b
}
define i32 @f2(i32 %x) {
  %a = call i32 @f3(i32 %x)
  %b = call i32 @f3(i32 %a)
  ret i32 %b
}
define i32 @f3(i32 %x) {
  %a = call i32 @f4(i32 %x)
  %b = call i32 @f4(i32 %a)
  ret i32 %b
}
define i32 @f4(i32 %x) {
  %a = call i32 @f5(i32 %x)
  %b = call i32 @f5(i32 %a)
  ret i32 %b
}
define i32 @f5(i32 %x) {
  %a = call i32 @f6(i32 %x)
  %b = call i32 @f6(i32 %a)
  ret i32 %b
}
define i32 @f6(i32 %x) {
  %a = call i32 @f7(i32 %x)
  %b = call i32 @f7(i32 %a)
  ret i32 %b
}
define i32 @f7(i32 %x) {
  %a = call i32 @f8(i32 %x)
  %b = call i32 @f8(i32 %a)
  ret i32 %b
}
define i32 @f8(i32 %x) {
  %a = call i32 @f9(i32 %x)
  %b = call i32 @f9(i32 %a)
  ret i32 %b
}
define i32 @f9(i32 %x) {
  %a = call i32 @f10(i32 %x)
  %b = call i32 @f10(i32 %a)
  ret i32 %b
}
define i32 @f10(i32 %x) {
  %a = call i32 @f11(i32 %x)
  %b = call i32 @f11(i32 %a)
  ret i32 %b
}
define i32 @f11(i32 %x) {
  %a = call i32 @f12(i32 %x)
  %b = call i32 @f12(i32 %a)
  ret i32 %b
}
define i32 @f12(i32 %x) {
  %a = call i32 @f13(i32 %x)
  %b = call i32 @f13(i32 %a)
  ret i32 %b
}
define i32 @f13(i32 %x) {
  %a = call i32 @f14(i32 %x)
  %b = call i32 @f14(i32 %a)
  ret i32 %b
}
define i32 @f14(i32 %x) {
  %a = call i32 @f15(i32 %x)
  %b = call i32 @f15(i32 %a)
  ret i32 %b
}
define i32 @f15(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %y = load i32, ptr %p
  %z = add i32 %y, 0
  %w = mul i32 %z, 3
  ret i32 %w
}
