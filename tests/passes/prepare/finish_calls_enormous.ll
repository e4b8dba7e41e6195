; Of an enormous kernel, in which each function calls the next one twice,
; functions stay to the end: there, they return where they are unreachable.
; RUN: choose-calls,finish-calls
; CHECK: define internal i32 @f17(
; CHECK: ret i32
; CHECK-NOT: unreachable
define void @k(ptr %out) {
  %y = call i32 @f0(i32 1)
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
  %a = call i32 @f16(i32 %x)
  %b = call i32 @f16(i32 %a)
  ret i32 %b
}
define i32 @f16(i32 %x) {
  %a = call i32 @f17(i32 %x)
  %b = call i32 @f17(i32 %a)
  ret i32 %b
}
define internal i32 @f17(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %never, label %on
never:
  unreachable
on:
  %y = add i32 %x, 1
  ret i32 %y
}
