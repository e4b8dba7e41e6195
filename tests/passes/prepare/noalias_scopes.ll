; Each buffer has a scope of its own where none overlaps another: a load of one
; may move over a store to the other. Where buffers may overlap nothing is said.
; RUN: noalias-scopes --no-overlap
; CHECK: define void @k(
; CHECK: load float, ptr %in, align 4, !alias.scope !0, !noalias !
; CHECK-NEXT: store float %x, ptr %out, align 4, !alias.scope !
; CHECK: attributes #0 = { "mt-noalias" }
; RUN MAY: noalias-scopes
; MAY: load float, ptr %in
; MAY-NOT: !alias.scope
; MAY-NOT: mt-noalias
define void @k(ptr %in, ptr %out) {
  %x = load float, ptr %in
  store float %x, ptr %out
  ret void
}
