; A function that ends without a return gives zero, not whatever is there:
; Clang's variable for its result is zero at first.
; RUN: results
; CHECK: define internal i32 @f(
; CHECK: %retval = alloca i32
; CHECK-NEXT: store i32 0, ptr %retval
define void @k(ptr %out, i32 %n) {
  %x = call i32 @f(i32 %n)
  store i32 %x, ptr %out
  ret void
}
define internal i32 @f(i32 %n) {
entry:
  %retval = alloca i32
  %c = icmp eq i32 %n, 0
  br i1 %c, label %good, label %end
good:
  store i32 1, ptr %retval
  br label %end
end:
  %r = load i32, ptr %retval
  ret i32 %r
}
