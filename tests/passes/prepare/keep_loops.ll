; A loop that fills memory stays a loop: across lanes its stores may be
; contiguous, and memset is none.
; RUN: keep-loops,simplify
; CHECK: "no-builtins"
; RUN LOOP: keep-loops,simplify
; LOOP: store i8 0
; LOOP-NOT: memset
; RUN WITHOUT: simplify
; WITHOUT: call void @llvm.memset
define void @k(ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr i8, ptr %out, i64 %i
  store i8 0, ptr %p
  %j = add nuw i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
