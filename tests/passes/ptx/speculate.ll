; A few operations behind a chain of conditions are done anyway, and selected; an
; access stays behind its branch.
; RUN: ptx-speculate
; CHECK: select i1 %d, float
; CHECK: select i1 %c, float
; CHECK: br i1 %d, label %load, label %end
define void @k(ptr %out, float %t) {
entry:
  %c = fcmp olt float %t, 1.0
  %d = fcmp olt float %t, 2.0
  br i1 %c, label %near, label %far
near:
  %n = fmul float %t, 1.5
  br label %join
far:
  br i1 %d, label %some, label %join
some:
  %s1 = fmul float %t, 3.0
  %s2 = fadd float %s1, -2.5
  br label %join
join:
  %p = phi float [ %n, %near ], [ 0.0, %far ], [ %s2, %some ]
  store float %p, ptr %out
  br i1 %d, label %load, label %end
load:
  %l = load float, ptr %out
  br label %end
end:
  %q = phi float [ 0.0, %join ], [ %l, %load ]
  store float %q, ptr %out
  ret void
}
