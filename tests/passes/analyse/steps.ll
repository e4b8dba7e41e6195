; What an iteration adds: to the variable, to an address made of it, in bytes.
; RUN: steps
; CHECK: loop 0: 16 iterations
; CHECK: %i: 2 more
; CHECK: %at: 6 more
; CHECK: %p: 24 more
; CHECK: %x: not known
; CHECK: %same: 0 more
; CHECK: %back: -8 more
; CHECK: %square: not known
define void @k(ptr %in, ptr %out, ptr "constant" %args) {
entry:
  %n = load i32, ptr %args
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = mul nsw i32 %i, 3
  %p = getelementptr i32, ptr %in, i32 %at
  %x = load i32, ptr %p
  %same = mul i32 %n, 3
  store i32 %x, ptr %out
  %minus = sub i32 0, %i
  %back = shl i32 %minus, 2
  %square = mul i32 %i, %i
  %j = add nuw nsw i32 %i, 2
  %c = icmp ult i32 %j, 32
  br i1 %c, label %loop, label %done
done:
  ret void
}
