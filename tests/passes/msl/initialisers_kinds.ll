; Clang stores a float3 as four floats, of which the last is none: the variable
; has its three. What is not a constant expression is refused, and what comes
; after it has its value all the same.
; RUN: initialisers
; CHECK-COUNT: 1 error:
; CHECK: ; error: a program-scope variable must be initialized by a constant expression
; CHECK: define void @k(
; CHECK-NEXT: store <3 x float> <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00>, ptr %out
; CHECK-NEXT: store i32 0, ptr %out
; CHECK: i32 12
; CHECK-NOT: @start.three
; CHECK-NOT: @start.after
@three = internal global <3 x float> zeroinitializer, align 16
@asked = internal global i32 0
@after = internal global i32 0
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start.three, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @start.asked, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @start.after, ptr null }]
declare i32 @__mt_somewhere()
define internal void @start.three() {
  store <4 x float> <float 1.0, float 2.0, float 3.0, float poison>, ptr @three, align 16
  ret void
}
define internal void @start.asked() {
  %x = call i32 @__mt_somewhere()
  store i32 %x, ptr @asked
  ret void
}
define internal void @start.after() {
  store i32 12, ptr @after
  ret void
}
define void @k(ptr %out) {
  %v = load <3 x float>, ptr @three, align 16
  store <3 x float> %v, ptr %out
  %a = load i32, ptr @asked
  store i32 %a, ptr %out
  %x = load i32, ptr @after
  store i32 %x, ptr %out
  ret void
}
