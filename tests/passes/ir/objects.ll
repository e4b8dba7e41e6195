; The variables that a pointer may lead to, through phis and selects, and the
; bytes of constant steps.
; RUN: objects
; CHECK: %e: 12 bytes on
; CHECK-NEXT: store %e: from %a, objects %a, only %a
; CHECK-NEXT: %v: steps are not constant, an index varies
; CHECK-NEXT: load %v: from %b, objects %b, only %b
; CHECK: load %s: from %s, objects %a %b
; CHECK-NOT: objects %a %b, only
; CHECK: load %u: from %u, objects undef %a, only %a
; CHECK: load %w: from %w, objects %w
define void @k(ptr %in, i32 %n, i1 %c) {
entry:
  %a = alloca [4 x float]
  %b = alloca [4 x float]
  %e = getelementptr [4 x float], ptr %a, i32 0, i32 3
  store float 1.0, ptr %e
  %v = getelementptr float, ptr %b, i32 %n
  %x = load float, ptr %v
  %s = select i1 %c, ptr %e, ptr %v
  %y = load float, ptr %s
  br i1 %c, label %one, label %two
one:
  br label %two
two:
  %u = phi ptr [ undef, %entry ], [ %a, %one ]
  %z = load float, ptr %u
  %w = load ptr, ptr %in
  %t = load float, ptr %w
  ret void
}
