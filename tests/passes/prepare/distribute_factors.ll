; Factors from before a loop are distributed over a sum of products in it: their
; products are computed before, and the loop has an operation less.
; RUN: distribute-factors
; CHECK: entry:
; CHECK: fmul
; CHECK: fmul
; CHECK: loop:
; CHECK-COUNT: 4 = fmul
; CHECK-COUNT: 1 = fadd
define void @k(ptr %in, ptr %out, float %p, float %q, float %s) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr float, ptr %in, i32 %i
  %a = load float, ptr %at
  %to = getelementptr float, ptr %out, i32 %i
  %b = load float, ptr %to
  %pa = fmul fast float %p, %a
  %qb = fmul fast float %q, %b
  %sum = fadd fast float %pa, %qb
  %r = fmul fast float %sum, %s
  store float %r, ptr %to
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}
