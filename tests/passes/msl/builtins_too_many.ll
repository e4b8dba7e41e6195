; Where inlining would make a million instructions of them, counted in the kernel
; and in the functions together, it is refused.
; RUN: builtins
; CHECK: ; error: too many calls lead to functions that use a program-scope built-in
; CHECK: define void @k(
; CHECK: call i32 @f5(
@gid = internal global i32 0, section ".msl.builtin", align 4
define void @k(ptr %out) {
  %x0 = call i32 @f5()
  store i32 %x0, ptr %out
  %x1 = call i32 @f5()
  store i32 %x1, ptr %out
  %x2 = call i32 @f5()
  %x3 = call i32 @f5()
  store i32 %x2, ptr %out
  ret void
}
define internal i32 @f0() {
  %x = load i32, ptr @gid
  ret i32 %x
}
define internal i32 @f1() {
  %x0 = call i32 @f0()
  %x1 = call i32 @f0()
  %x2 = call i32 @f0()
  %x3 = call i32 @f0()
  %x4 = call i32 @f0()
  %x5 = call i32 @f0()
  %x6 = call i32 @f0()
  %x7 = call i32 @f0()
  %x8 = call i32 @f0()
  %x9 = call i32 @f0()
  ret i32 %x9
}
define internal i32 @f2() {
  %x0 = call i32 @f1()
  %x1 = call i32 @f1()
  %x2 = call i32 @f1()
  %x3 = call i32 @f1()
  %x4 = call i32 @f1()
  %x5 = call i32 @f1()
  %x6 = call i32 @f1()
  %x7 = call i32 @f1()
  %x8 = call i32 @f1()
  %x9 = call i32 @f1()
  ret i32 %x9
}
define internal i32 @f3() {
  %x0 = call i32 @f2()
  %x1 = call i32 @f2()
  %x2 = call i32 @f2()
  %x3 = call i32 @f2()
  %x4 = call i32 @f2()
  %x5 = call i32 @f2()
  %x6 = call i32 @f2()
  %x7 = call i32 @f2()
  %x8 = call i32 @f2()
  %x9 = call i32 @f2()
  ret i32 %x9
}
define internal i32 @f4() {
  %x0 = call i32 @f3()
  %x1 = call i32 @f3()
  %x2 = call i32 @f3()
  %x3 = call i32 @f3()
  %x4 = call i32 @f3()
  %x5 = call i32 @f3()
  %x6 = call i32 @f3()
  %x7 = call i32 @f3()
  %x8 = call i32 @f3()
  %x9 = call i32 @f3()
  ret i32 %x9
}
define internal i32 @f5() {
  %x0 = call i32 @f4()
  %x1 = call i32 @f4()
  %x2 = call i32 @f4()
  %x3 = call i32 @f4()
  %x4 = call i32 @f4()
  %x5 = call i32 @f4()
  %x6 = call i32 @f4()
  %x7 = call i32 @f4()
  %x8 = call i32 @f4()
  %x9 = call i32 @f4()
  ret i32 %x9
}
