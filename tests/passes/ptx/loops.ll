; A long loop of unknown length that LLVM has unrolled stays as it is; a short
; one may be unrolled by the driver's compiler.
; RUN: ptx-loops
; CHECK: br i1 %c, label %loop, label %done, !llvm.loop
define void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p0 = getelementptr i32, ptr %out, i32 %i
  %x0 = load i32, ptr %p0
  store i32 %i, ptr %p0
  %p1 = getelementptr i32, ptr %out, i32 %i
  %x1 = load i32, ptr %p1
  store i32 %i, ptr %p1
  %p2 = getelementptr i32, ptr %out, i32 %i
  %x2 = load i32, ptr %p2
  store i32 %i, ptr %p2
  %p3 = getelementptr i32, ptr %out, i32 %i
  %x3 = load i32, ptr %p3
  store i32 %i, ptr %p3
  %p4 = getelementptr i32, ptr %out, i32 %i
  %x4 = load i32, ptr %p4
  store i32 %i, ptr %p4
  %p5 = getelementptr i32, ptr %out, i32 %i
  %x5 = load i32, ptr %p5
  store i32 %i, ptr %p5
  %p6 = getelementptr i32, ptr %out, i32 %i
  %x6 = load i32, ptr %p6
  store i32 %i, ptr %p6
  %p7 = getelementptr i32, ptr %out, i32 %i
  %x7 = load i32, ptr %p7
  store i32 %i, ptr %p7
  %p8 = getelementptr i32, ptr %out, i32 %i
  %x8 = load i32, ptr %p8
  store i32 %i, ptr %p8
  %p9 = getelementptr i32, ptr %out, i32 %i
  %x9 = load i32, ptr %p9
  store i32 %i, ptr %p9
  %j = add i32 %i, 4
  %c = icmp ne i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
