; What C++ promises of references is taken back: a kernel may be given null, or
; too little memory.
; RUN: drop-reference-facts
; CHECK: define void @k(
; CHECK: ptr
; CHECK-NOT: nonnull
; CHECK-NOT: dereferenceable
define void @k(ptr nonnull dereferenceable(16) %p, ptr %q) {
  %r = load ptr, ptr %q, !nonnull !0
  store i32 0, ptr %r
  ret void
}
!0 = !{}
