; A value that is computed on each way, from the same values, is no phi: LLVM
; makes such phis of an index that is there on one way only. So is what is made
; of such phis, with the promises that hold on all ways. Where the values
; differ, or memory is read, the phi stays.
; RUN: equal-phis
; CHECK: define void @k(
; CHECK: join:
; CHECK: %other = phi
; CHECK-NEXT: %read = phi
; CHECK-NEXT: zext i32 %t to i64
; CHECK-NEXT: shl i64
; CHECK-NEXT: getelementptr i8, ptr %out
; CHECK: loop:
; CHECK-NEXT: %i = phi
; CHECK-NEXT: sub i32 %t, %n
; CHECK-NOT: %same = phi
; CHECK-NOT: %fixed = phi
; CHECK: ret void
define void @k(ptr %out, i32 %t, i32 %n) {
entry:
  %c = icmp ult i32 %t, %n
  br i1 %c, label %one, label %two
one:
  %t1 = zext i32 %t to i64
  %s1 = shl nuw i64 %t1, 2
  %p1 = getelementptr inbounds i8, ptr %out, i64 %s1
  %o1 = add i32 %t, 1
  %r1 = load i32, ptr %out
  br label %join
two:
  %t2 = zext nneg i32 %t to i64
  %s2 = shl i64 %t2, 2
  %p2 = getelementptr i8, ptr %out, i64 %s2
  %o2 = add i32 %t, 2
  %r2 = load i32, ptr %out
  br label %join
join:
  %same = phi ptr [ %p1, %one ], [ %p2, %two ]
  %other = phi i32 [ %o1, %one ], [ %o2, %two ]
  %read = phi i32 [ %r1, %one ], [ %r2, %two ]
  store i32 %other, ptr %same
  store i32 %read, ptr %out
  %b = sub i32 %t, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %join ], [ %i1, %loop ]
  %fixed = phi i32 [ %b, %join ], [ %b1, %loop ]
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %fixed, ptr %q
  %b1 = sub i32 %t, %n
  %i1 = add i32 %i, 1
  %d = icmp ult i32 %i1, %n
  br i1 %d, label %loop, label %done
done:
  ret void
}
