; What one thread stores is at most 64 bytes, whose addresses are followed through
; several sums.
; RUN EIGHT: choose-unrolling --kernel eight
; EIGHT: !"llvm.loop.unroll.full"
; RUN NINE: choose-unrolling --kernel nine
; NINE: !"llvm.loop.unroll.disable"
; NINE-NOT: llvm.loop.unroll.full
; RUN SUMS: choose-unrolling --kernel sums
; SUMS: !"llvm.loop.unroll.full"
; A component of a vector that is always the same gains nothing, one that the
; loop counts does.
; RUN SAME: choose-unrolling --kernel same
; SAME: !"llvm.loop.unroll.disable"
; RUN COUNTED: choose-unrolling --kernel counted
; COUNTED: ret void
; COUNTED-NOT: llvm.loop.unroll.disable
define void @eight(ptr %out, i64 %x, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %i, %base
  %w = zext i32 %at to i64
  %p = getelementptr i64, ptr %out, i64 %w
  store i64 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 8
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @nine(ptr %out, i64 %x, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %thread_position_in_grid, 9
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %i, %base
  %w = zext i32 %at to i64
  %p = getelementptr i64, ptr %out, i64 %w
  store i64 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 9
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @sums(ptr %out, i8 %x, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %c0 = add i32 %i, %n
  %c1 = add i32 %c0, %n
  %c2 = add i32 %c1, %n
  %c3 = add i32 %c2, %n
  %c4 = add i32 %c3, %n
  %c5 = add i32 %c4, %n
  %at = add i32 %c5, %base
  %w = zext i32 %at to i64
  %p = getelementptr i8, ptr %out, i64 %w
  store i8 %x, ptr %p
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 2
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @same(ptr %out, <4 x i32> %v, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = extractelement <4 x i32> %v, i32 2
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %x, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @counted(ptr %out, <4 x i32> %v, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = extractelement <4 x i32> %v, i32 %i
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 %x, ptr %p
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
