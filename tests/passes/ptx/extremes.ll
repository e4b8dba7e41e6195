; A comparison and the selection of what it compared are one instruction, where
; signed zeros do not count.
; RUN: ptx-extremes
; CHECK: call float @llvm.maxnum.f32(float %a, float %b)
; CHECK: call float @llvm.minnum.f32(float %b, float %a)
; CHECK: select i1 %s, float %a, float %b
; CHECK: select nsz i1 %o, float %a, float %b
define void @k(ptr %out, float %a, float %b, float %c) {
  %g = fcmp ogt float %a, %b
  %x = select nsz i1 %g, float %a, float %b
  %l = fcmp ogt float %a, %b
  %y = select nsz i1 %l, float %b, float %a
  %s = fcmp ogt float %a, %b
  %z = select i1 %s, float %a, float %b
  %o = fcmp ogt float %a, %c
  %w = select nsz i1 %o, float %a, float %b
  %p1 = getelementptr float, ptr %out, i32 1
  %p2 = getelementptr float, ptr %out, i32 2
  %p3 = getelementptr float, ptr %out, i32 3
  store float %x, ptr %out
  store float %y, ptr %p1
  store float %z, ptr %p2
  store float %w, ptr %p3
  ret void
}
