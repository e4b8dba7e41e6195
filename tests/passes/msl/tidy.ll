; All but the kernel is internal, what nobody uses is gone, as are annotations.
; RUN: tidy --kernel k
; CHECK: @c = internal constant i32 7
; CHECK: define internal i32 @f(
; CHECK: define void @k(
; CHECK-NOT: linkonce
; CHECK-NOT: comdat
; CHECK-NOT: llvm.var.annotation
; CHECK-NOT: llvm.used
; CHECK-NOT: @idle
$f = comdat any
@llvm.used = appending global [1 x ptr] [ptr @idle], section "llvm.metadata"
@c = constant i32 7
@text = private constant [2 x i8] c"x\00", section "llvm.metadata"
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
define linkonce_odr i32 @f() comdat {
  %x = load i32, ptr @c
  ret i32 %x
}
define void @idle() {
  ret void
}
define void @k(ptr %out) {
  %v = alloca i32
  call void @llvm.var.annotation.p0.p0(ptr %v, ptr @text, ptr @text, i32 1, ptr null)
  %x = call i32 @f()
  store i32 %x, ptr %out
  ret void
}
