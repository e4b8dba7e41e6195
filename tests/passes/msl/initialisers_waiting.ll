; What depends on a function constant waits for its value, and so does what
; depends on that, also through the address of an element; the rest has its
; value, a vector with all of its components.
; RUN: initialisers
; CHECK: @llvm.global_ctors = appending global [2 x
; CHECK: ptr @start.waits
; CHECK: ptr @start.reads
; CHECK: define void @k(
; CHECK: store <4 x float> <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00>, ptr %out
; CHECK: i32 5
; CHECK-NOT: @start.four
; CHECK-NOT: @start.five
; CHECK-NOT: error:
@given = external constant [4 x i32], section ".msl.constant.3"
@waits = internal global i32 0
@reads = internal global i32 0
@four = internal global <4 x float> zeroinitializer, align 16
@five = internal global i32 0
@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start.waits, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @start.four, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @start.reads, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @start.five, ptr null }]
define internal void @start.waits() {
  %x = load i32, ptr getelementptr (i8, ptr @given, i64 8)
  store i32 %x, ptr @waits
  ret void
}
define internal void @start.four() {
  store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr @four, align 16
  ret void
}
define internal void @start.reads() {
  %x = load i32, ptr @waits
  %y = add i32 %x, 1
  store i32 %y, ptr @reads
  ret void
}
define internal void @start.five() {
  store i32 5, ptr @five
  ret void
}
define void @k(ptr %out) {
  %v = load <4 x float>, ptr @four, align 16
  store <4 x float> %v, ptr %out
  %x = load i32, ptr @five
  store i32 %x, ptr %out
  %y = load i32, ptr @waits
  store i32 %y, ptr %out
  %z = load i32, ptr @reads
  store i32 %z, ptr %out
  ret void
}
