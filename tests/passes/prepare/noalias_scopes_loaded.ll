; A pointer that is loaded is in no buffer that is known: nothing is said of it.
; RUN: noalias-scopes --no-overlap
; CHECK: define void @k(
; CHECK: %p = load ptr, ptr %in, align 8, !alias.scope !
; CHECK-NEXT: %x = load float, ptr %p, align 4
; CHECK-NEXT: store float %x, ptr %out, align 4, !alias.scope !
; CHECK-NOT: ptr %p, align 4, !
define void @k(ptr %in, ptr %out) {
  %p = load ptr, ptr %in
  %x = load float, ptr %p
  store float %x, ptr %out
  ret void
}
