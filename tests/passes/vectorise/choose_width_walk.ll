; A loop over every 64th element counts what it loads: two SIMD-groups at once
; read as much again in a step. Where the loop stores, one does.
; RUN: choose-width,emit --group 64
; CHECK: <64 x i32>
; RUN STORES: choose-width,emit --group 64 --kernel stores
; STORES: <32 x i32>
; STORES-NOT: <64 x i32>
define void @k(ptr %out, ptr %in, i32 %thread_position_in_threadgroup) {
entry:
  %t = zext i32 %thread_position_in_threadgroup to i64
  br label %loop
loop:
  %i = phi i64 [ %t, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %odd = and i32 %x, 1
  %s1 = add i32 %s, %odd
  %j = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %i, 960
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i32, ptr %out, i64 %t
  store i32 %s1, ptr %q
  ret void
}
define void @stores(ptr %out, ptr %in, i32 %thread_position_in_threadgroup) {
entry:
  %t = zext i32 %thread_position_in_threadgroup to i64
  br label %loop
loop:
  %i = phi i64 [ %t, %entry ], [ %j, %loop ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %odd = and i32 %x, 1
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %odd, ptr %q
  %j = add nuw nsw i64 %i, 64
  %more = icmp ult i64 %i, 960
  br i1 %more, label %loop, label %done
done:
  ret void
}
