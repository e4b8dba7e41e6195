; A pointer that is made of a number may lead anywhere: nothing can be said.
; RUN: uses
; CHECK: not known
; CHECK-NOT: %in
define void @k(ptr %in) {
  %n = load i64, ptr %in
  %p = inttoptr i64 %n to ptr
  store i32 0, ptr %p
  ret void
}
