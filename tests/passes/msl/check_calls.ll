; Recursion that is no loop is refused, as is a function without a body and
; memory from new; a tail recursion becomes a loop.
; RUN: check-calls --kernel k
; CHECK: ; error: undefined symbol: function 'lost' is declared but not defined
; CHECK: ; error: memory cannot be allocated in a kernel
; RUN DEEP: check-calls --kernel deep
; DEEP: ; error: recursive call of 'twice' is not supported
; RUN TAIL: check-calls --kernel tail
; TAIL: define internal i32 @_Z3endi(
; TAIL-NOT: ; error
; TAIL-NOT: = call i32 @_Z3endi(i32 %y)
declare i32 @_Z4losti(i32)
declare ptr @_Znwm(i64)
define void @k(ptr %out) {
  %x = call i32 @_Z4losti(i32 1)
  %p = call ptr @_Znwm(i64 4)
  ret void
}
define void @deep(ptr %out) {
  %x = load i32, ptr %out
  %y = call i32 @_Z5twicei(i32 %x)
  store i32 %y, ptr %out
  ret void
}
define internal i32 @_Z5twicei(i32 %x) {
entry:
  %c = icmp slt i32 %x, 2
  br i1 %c, label %end, label %on
end:
  ret i32 1
on:
  %y = sub i32 %x, 1
  %a = call i32 @_Z5twicei(i32 %y)
  %z = sub i32 %x, 2
  %b = call i32 @_Z5twicei(i32 %z)
  %m = xor i32 %a, %b
  ret i32 %m
}
define void @tail(ptr %out) {
  %x = load i32, ptr %out
  %y = call i32 @_Z3endi(i32 %x)
  store i32 %y, ptr %out
  ret void
}
define internal i32 @_Z3endi(i32 %x) {
entry:
  %c = icmp slt i32 %x, 2
  br i1 %c, label %end, label %on
end:
  ret i32 %x
on:
  %y = sub i32 %x, 3
  %a = call i32 @_Z3endi(i32 %y)
  ret i32 %a
}
