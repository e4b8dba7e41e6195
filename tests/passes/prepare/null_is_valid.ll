; A store through null is a store like others, which LLVM does not take for
; undefined behaviour: it stays.
; RUN: null-is-valid,simplify
; CHECK: null_pointer_is_valid
; CHECK: "no-jump-tables"="true"
; RUN STAYS: null-is-valid,simplify
; STAYS: store i32 1, ptr null
define void @k() {
  store i32 1, ptr null
  ret void
}
