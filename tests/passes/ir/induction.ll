; Induction variables: integers, pointers, with what is added on any side of the
; phi; not a product, nor a sum of floats that LLVM may not reorder.
; RUN: induction
; CHECK: %i: from 3 by 2 to %i.next
; CHECK-NEXT: %p: from %in by 4 to %p.next, elements
; CHECK-NEXT: %m: no induction variable
; CHECK-NEXT: %s: no induction variable, a free sum
; CHECK-NEXT: %t: no induction variable
; CHECK-NEXT: %r: no induction variable
; CHECK-NOT: %t: no induction variable, a free sum
define void @k(ptr %in, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 3, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %p.next, %loop ], [ %in, %entry ]
  %m = phi i32 [ 1, %entry ], [ %m.next, %loop ]
  %s = phi fast float [ 0.0, %entry ], [ %s.next, %loop ]
  %t = phi float [ 0.0, %entry ], [ %t.next, %loop ]
  %r = phi i32 [ 0, %entry ], [ %r.next, %loop ]
  %i.next = add i32 %i, 2
  %p.next = getelementptr float, ptr %p, i32 4
  %m.next = mul i32 %m, 3
  %x = load float, ptr %p
  %s.next = fadd fast float %s, %x
  %t.next = fadd float %t, %x
  %r.next = sub i32 10, %r
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
