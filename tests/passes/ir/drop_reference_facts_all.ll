; What is said of results, parameters and loaded pointers is taken back, and
; nothing else; other functions keep theirs.
; RUN: drop-reference-facts
; CHECK: define noundef ptr @k(ptr noundef %p, ptr noalias %q, ptr readonly %r) {
; CHECK-NEXT: %a = load ptr, ptr %q, align 8, !noundef !0
; CHECK-NEXT: %b = load ptr, ptr %q, align 8
; CHECK-NEXT: ret ptr %a
; CHECK-NOT: !nonnull
; CHECK: define internal nonnull ptr @other(ptr nonnull %p) {
; CHECK-NEXT: ret ptr %p
define noundef nonnull dereferenceable(8) ptr @k(ptr noundef nonnull %p, ptr noalias dereferenceable(16) %q, ptr readonly dereferenceable_or_null(4) %r) {
  %a = load ptr, ptr %q, align 8, !nonnull !0, !noundef !0
  %b = load ptr, ptr %q, align 8, !nonnull !0
  ret ptr %a
}
define internal nonnull ptr @other(ptr nonnull %p) {
  ret ptr %p
}
!0 = !{}
