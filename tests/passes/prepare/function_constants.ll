; A constant without a value is known to be without one, so that its default
; applies; it is still there to be refused.
; RUN: function-constants
; CHECK: @has = internal constant i8 0
; CHECK: @c = external constant i32, section ".msl.constant.3"
; RUN END: check-constants
; END: @c = internal constant i32 0
; END-NOT: section ".msl.constant
@has = external constant i8, section ".msl.defined.3"
@c = external constant i32, section ".msl.constant.3"
define void @k(ptr %out) {
  %h = load i8, ptr @has
  %v = load i32, ptr @c
  store i8 %h, ptr %out
  store i32 %v, ptr %out
  ret void
}
