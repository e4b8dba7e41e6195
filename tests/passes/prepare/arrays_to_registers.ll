; A private array whose indices count loops is no memory once these loops are
; unrolled, also in a triangle, where the inner loop's bound is the outer one's
; counter.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK-COUNT: 7 store i32
; CHECK: ret void
define void @k(ptr %in, ptr %out) {
entry:
  %a = alloca [3 x i32]
  br label %rows
rows:
  %r = phi i32 [ 0, %entry ], [ %r1, %next ]
  %r1 = add nuw nsw i32 %r, 1
  br label %row
row:
  %i = phi i32 [ 0, %rows ], [ %j, %row ]
  %s = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %s
  %p = getelementptr [3 x i32], ptr %a, i32 0, i32 %i
  store i32 %x, ptr %p
  %y = load i32, ptr %p
  %t = getelementptr i32, ptr %out, i32 %y
  store i32 %r, ptr %t
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, %r1
  br i1 %c, label %row, label %next
next:
  %d = icmp ult i32 %r1, 3
  br i1 %d, label %rows, label %done
done:
  %q = getelementptr [3 x i32], ptr %a, i32 0, i32 2
  %z = load i32, ptr %q
  store i32 %z, ptr %out
  ret void
}
