; A row that each lane goes along by itself, of a length that only the launch
; knows: what is read of it at once are as many words as the loop has left, and
; no iteration waits to see how many there are.
; RUN: emit
; CHECK-NOT: store i32 -2
; CHECK: call void @mt_transpose_in(
; CHECK: , i32 32, i32 %
; CHECK: ask:
; CHECK: , i32 64
define void @k(ptr %out, ptr "constant" %n, ptr %in, i32 %thread_position_in_grid) {
entry:
  %count = load i32, ptr %n
  %row = mul i32 %thread_position_in_grid, %count
  %any = icmp ne i32 %count, 0
  br i1 %any, label %head, label %done
head:
  br label %loop
loop:
  %j = phi i32 [ 0, %head ], [ %next, %loop ]
  %s = phi i32 [ 1, %head ], [ %t, %loop ]
  %i = add i32 %row, %j
  %w = zext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  %y = mul i32 %s, %s
  %t = xor i32 %x, %y
  %next = add nuw i32 %j, 1
  %end = icmp eq i32 %next, %count
  br i1 %end, label %exit, label %loop
exit:
  %u = phi i32 [ %t, %loop ]
  br label %done
done:
  %v = phi i32 [ 0, %entry ], [ %u, %exit ]
  %q = getelementptr i32, ptr %out, i32 %thread_position_in_grid
  store i32 %v, ptr %q
  ret void
}
