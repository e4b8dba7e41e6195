; An array that has to stay in memory is no obstacle to another one, and what
; was looked at for the one is not known for the other.
; RUN OTHER: arrays-to-registers --kernel other
; OTHER: define void @other(
; OTHER-NEXT: entry
; OTHER-NEXT: alloca [6 x i32]
; OTHER-NEXT: sext i32 %t
; RUN NEITHER: arrays-to-registers --kernel neither
; NEITHER: define void @neither(
; NEITHER: alloca [6 x i32]
; NEITHER: alloca [8 x i32]
; NEITHER: phi i32
; An index that is chosen among two numbers again and again is still one of two;
; so is one that is a choice between a choice and itself.
; RUN AGAIN: arrays-to-registers --kernel again
; AGAIN: define void @again(
; AGAIN-NEXT: icmp
; RUN SAME: arrays-to-registers --kernel same
; SAME: define void @same(
; SAME-NEXT: select
define void @other(ptr %in, ptr %out, i32 %t) {
entry:
  %a = alloca [6 x i32]
  %b = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  %p = getelementptr [6 x i32], ptr %a, i32 0, i32 %t
  store i32 %x, ptr %p
  %q = getelementptr [8 x i32], ptr %b, i32 0, i32 %i
  store i32 %x, ptr %q
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 6
  br i1 %c, label %loop, label %done
done:
  %s = getelementptr [6 x i32], ptr %a, i32 0, i32 2
  %y = load i32, ptr %s
  store volatile i32 %y, ptr %out
  %u = getelementptr [8 x i32], ptr %b, i32 0, i32 3
  %z = load i32, ptr %u
  store i32 %z, ptr %out
  ret void
}
define void @neither(ptr %in, ptr %out) {
entry:
  %a = alloca [6 x i32]
  %b = alloca [8 x i32]
  %n = load i32, ptr %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  %p = getelementptr [6 x i32], ptr %a, i32 0, i32 %i
  store i32 %x, ptr %p
  %q = getelementptr [8 x i32], ptr %b, i32 0, i32 %i
  store i32 %x, ptr %q
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 6
  br i1 %c, label %loop, label %done
done:
  %s = getelementptr [6 x i32], ptr %a, i32 0, i32 %n
  %y = load i32, ptr %s
  store i32 %y, ptr %out
  %u = getelementptr [8 x i32], ptr %b, i32 0, i32 %n
  %z = load i32, ptr %u
  store i32 %z, ptr %out
  ret void
}
define void @again(ptr %out, i32 %t) {
  %a = alloca [8 x i32]
  %p0 = getelementptr [8 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %p0
  %p1 = getelementptr [8 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %p1
  %p2 = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %p2
  %p3 = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %p3
  %p4 = getelementptr [8 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %p4
  %p5 = getelementptr [8 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %p5
  %p6 = getelementptr [8 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %p6
  %p7 = getelementptr [8 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %p7
  %c0 = icmp ult i32 %t, 50
  %s0 = select i1 %c0, i32 3, i32 5
  %c1 = icmp eq i32 %t, 1
  %s1 = select i1 %c1, i32 3, i32 %s0
  %c2 = icmp eq i32 %t, 2
  %s2 = select i1 %c2, i32 5, i32 %s1
  %c3 = icmp eq i32 %t, 3
  %s3 = select i1 %c3, i32 3, i32 %s2
  %c4 = icmp eq i32 %t, 4
  %s4 = select i1 %c4, i32 5, i32 %s3
  %c5 = icmp eq i32 %t, 5
  %s5 = select i1 %c5, i32 3, i32 %s4
  %c6 = icmp eq i32 %t, 6
  %s6 = select i1 %c6, i32 5, i32 %s5
  %c7 = icmp eq i32 %t, 7
  %s7 = select i1 %c7, i32 3, i32 %s6
  %c8 = icmp eq i32 %t, 8
  %s8 = select i1 %c8, i32 5, i32 %s7
  %c9 = icmp eq i32 %t, 9
  %s9 = select i1 %c9, i32 3, i32 %s8
  %c10 = icmp eq i32 %t, 10
  %s10 = select i1 %c10, i32 5, i32 %s9
  %c11 = icmp eq i32 %t, 11
  %s11 = select i1 %c11, i32 3, i32 %s10
  %c12 = icmp eq i32 %t, 12
  %s12 = select i1 %c12, i32 5, i32 %s11
  %c13 = icmp eq i32 %t, 13
  %s13 = select i1 %c13, i32 3, i32 %s12
  %c14 = icmp eq i32 %t, 14
  %s14 = select i1 %c14, i32 5, i32 %s13
  %c15 = icmp eq i32 %t, 15
  %s15 = select i1 %c15, i32 3, i32 %s14
  %c16 = icmp eq i32 %t, 16
  %s16 = select i1 %c16, i32 5, i32 %s15
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 %s16
  %x = load i32, ptr %q
  store i32 %x, ptr %out
  ret void
}
define void @same(ptr %out, i1 %c, i1 %d, i1 %e) {
  %a = alloca [8 x i32]
  %p0 = getelementptr [8 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %p0
  %p1 = getelementptr [8 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %p1
  %p2 = getelementptr [8 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %p2
  %p3 = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %p3
  %p4 = getelementptr [8 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %p4
  %p5 = getelementptr [8 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %p5
  %p6 = getelementptr [8 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %p6
  %p7 = getelementptr [8 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %p7
  %s = select i1 %c, i32 3, i32 5
  %u = select i1 %d, i32 %s, i32 6
  %v = select i1 %e, i32 %u, i32 %s
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 %v
  %x = load i32, ptr %q
  store i32 %x, ptr %out
  ret void
}
