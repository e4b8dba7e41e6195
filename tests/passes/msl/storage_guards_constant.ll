; A constant behind a guard has no constant value, which is an error, once; a
; guard that nothing asks, and what only has such a name, are none.
; RUN: storage
; CHECK-COUNT: 1 ; error: a constant must be initialized by a constant expression
; CHECK-COUNT: 1 error:
@_ZZ1kE1c = internal global i32 0
@_ZGVZ1kE1c = internal global i32 0
@_ZGVZ1kE1d = internal global i32 0
@_ZGVpair = internal global [2 x i32] zeroinitializer
define void @k(ptr %out) {
  %guard = load i32, ptr @_ZGVZ1kE1c
  %other = load i32, ptr @_ZGVpair
  store i32 %guard, ptr %out
  store i32 %other, ptr %out
  ret void
}
