; A loop is unrolled for an index that is known in each round: one that comes
; round from its start by constants; not one to which something unknown comes
; in, from whichever side.
; RUN: arrays-to-registers --kernel known
; CHECK: define void @known(
; CHECK-NEXT: entry
; CHECK-NEXT: store i32 1, ptr %out
; RUN LATER: arrays-to-registers --kernel later
; LATER: define void @later(
; LATER-NEXT: entry
; LATER-NEXT: alloca
; LATER: phi i32 [ 0, %entry ], [ %j, %loop ]
; RUN FIRST: arrays-to-registers --kernel first
; FIRST: define void @first(
; FIRST-NEXT: entry
; FIRST-NEXT: alloca
; FIRST: phi i32 [ 0, %entry ], [ %j, %loop ]
define void @known(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = phi i32 [ 1, %entry ], [ %k.next, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %k
  store i32 %i, ptr %p
  %k.next = add i32 %k, 2
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @later(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = phi i32 [ 1, %entry ], [ %x, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %k
  store i32 %i, ptr %p
  %r = getelementptr i32, ptr %in, i32 %i
  %x = load i32, ptr %r
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @first(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  %x = load i32, ptr %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = phi i32 [ %x, %entry ], [ 1, %loop ]
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %k
  store i32 %i, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 3
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
