; A product of a product, which no sum is fused with, is an operation too: two
; terms take no more than what is there. A sum with a single product does take
; less, and stays.
; RUN TWICE: distribute-factors --kernel twice
; TWICE: define void @twice(
; TWICE: entry:
; TWICE: fmul
; TWICE: loop:
; TWICE: fadd nnan ninf nsz arcp contract afn float
; RUN ONCE: distribute-factors --kernel once
; ONCE: define void @once(
; ONCE: fmul fast float %sum, %s
define void @twice(ptr %in, ptr %out, float %p, float %q, float %s) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr float, ptr %in, i32 %i
  %a = load float, ptr %at
  %to = getelementptr float, ptr %out, i32 %i
  %b = load float, ptr %to
  %qa = fmul fast float %q, %a
  %pa = fmul fast float %p, %qa
  %sum = fadd fast float %pa, %b
  %r = fmul fast float %sum, %s
  store float %r, ptr %to
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @once(ptr %in, ptr %out, float %p, float %q, float %s) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = getelementptr float, ptr %in, i32 %i
  %a = load float, ptr %at
  %to = getelementptr float, ptr %out, i32 %i
  %b = load float, ptr %to
  %pa = fmul fast float %p, %a
  %sum = fadd fast float %pa, %b
  %r = fmul fast float %sum, %s
  store float %r, ptr %to
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 100
  br i1 %c, label %loop, label %done
done:
  ret void
}
