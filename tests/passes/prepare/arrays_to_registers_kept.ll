; An index that is loaded asks for no loop, an array that is too large neither,
; and a loop that the source keeps stays.
; RUN: arrays-to-registers
; CHECK: define void @k(
; CHECK: alloca [8 x i32]
; CHECK: br i1 %c, label %loop, label %done
; RUN LARGE: arrays-to-registers --kernel large
; LARGE: define void @large(
; LARGE: alloca [200 x i32]
; LARGE: br i1 %c, label %loop, label %done
; RUN KEPT: arrays-to-registers --kernel kept
; KEPT: define void @kept(
; KEPT: alloca [8 x i32]
; KEPT: br i1 %c, label %loop, label %done, !llvm.loop
define void @k(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %s
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %x
  store i32 %i, ptr %p
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 8
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @large(ptr %in, ptr %out) {
entry:
  %a = alloca [200 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %s
  %p = getelementptr [200 x i32], ptr %a, i32 0, i32 %i
  store i32 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 200
  br i1 %c, label %loop, label %done
done:
  %z = load i32, ptr %a
  store i32 %z, ptr %out
  ret void
}
define void @kept(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %s
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %i
  store i32 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 8
  br i1 %c, label %loop, label %done, !llvm.loop !0
done:
  %z = load i32, ptr %a
  store i32 %z, ptr %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
