; A short loop that loads stays a loop until LLVM has simplified it; one with two
; ways out is unrolled by LLVM at once; one that loads nothing is LLVM's to say.
; RUN: ptx-keep-for-later
; CHECK: br i1 %c1, label %first, label %between, !llvm.loop
; CHECK: br i1 %c2, label %second, label %then, !llvm.loop
; CHECK: br i1 %c3, label %third, label %end
; CHECK: !{!"llvm.loop.unroll.count", i32 1}
; CHECK: !{!"llvm.loop.unroll.count", i32 16}
define void @k(ptr %in, ptr %out, i32 %n) {
entry:
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i1, %first ]
  %s = phi i32 [ 0, %entry ], [ %s1, %first ]
  %pi = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %pi
  %s1 = add i32 %s, %x
  %i1 = add i32 %i, 256
  %c1 = icmp ult i32 %i1, %n
  br i1 %c1, label %first, label %between
between:
  br label %second
second:
  %j = phi i32 [ 0, %between ], [ %j1, %more ]
  %pj = getelementptr i32, ptr %in, i32 %j
  %y = load i32, ptr %pj
  %stop = icmp eq i32 %y, 0
  br i1 %stop, label %then, label %more
more:
  %j1 = add i32 %j, 1
  %c2 = icmp ne i32 %j1, 16
  br i1 %c2, label %second, label %then
then:
  br label %third
third:
  %m = phi i32 [ 0, %then ], [ %m1, %third ]
  %h = phi i32 [ %n, %then ], [ %h1, %third ]
  %h1 = mul i32 %h, 5
  %m1 = add i32 %m, 1
  %c3 = icmp ne i32 %m1, 16
  br i1 %c3, label %third, label %end
end:
  %r = add i32 %s1, %h1
  store i32 %r, ptr %out
  ret void
}
