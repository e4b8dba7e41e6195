; Only after loops within others were unrolled is anything hoisted: alone, the
; pass leaves the kernel as it is.
; RUN: hoist-unrolled
; CHECK: loop:
; CHECK: %x = load float, ptr %in
define void @k(ptr "constant" %in, ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = load float, ptr %in
  %p = getelementptr float, ptr %out, i32 %i
  store float %x, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
