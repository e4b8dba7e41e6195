; A loop that gains nothing before vectorisation stays a loop; one that chooses
; elements of a private array may be unrolled; what the source asks for stays.
; RUN: choose-unrolling
; CHECK: br i1 %c, label %loop, label %done, !llvm.loop !
; CHECK: !"llvm.loop.unroll.disable"
; RUN CHOOSES: choose-unrolling --kernel chooses
; CHOOSES: define void @chooses(
; CHOOSES: br i1 %c, label %loop, label %done
; CHOOSES-NOT: llvm.loop.unroll.disable
define void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @chooses(ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  store i32 %i, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 8
  br i1 %c, label %loop, label %done
done:
  ret void
}
