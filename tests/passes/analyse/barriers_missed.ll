; Whether vectors can wait at a barrier: lanes that part before it and meet
; again, lanes that return with something to do, both sides with a barrier.
; RUN: barriers --kernel met
; CHECK: barrier at the end of %wait: missed by threads that returned, vectors wait
; RUN BUSY: barriers --kernel busy
; BUSY: barrier at the end of %wait: missed by threads that returned, vectors cannot wait
; RUN TWO: barriers --kernel two
; TWO: barrier at the end of %left: missed by others, vectors cannot wait
; TWO-NEXT: barrier at the end of %right: missed by others, vectors cannot wait
; RUN LOOP: barriers --kernel loop
; LOOP: barrier at the end of %body: missed by others, vectors cannot wait
; RUN ALIKE: barriers --kernel alike
; ALIKE: barrier at the end of %then: missed by threads that returned, vectors wait
; RUN MORE: barriers --kernel more
; MORE: barrier at the end of %a: missed by threads that returned, vectors wait
; MORE-NEXT: barrier at the end of %b: missed by threads that returned, vectors wait
declare void @__mt_barrier_threadgroup(i32)
define void @met(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ugt i32 %thread_position_in_grid, 100
  br i1 %c, label %then, label %wait
then:
  store i32 1, ptr %out
  br label %wait
wait:
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 2, ptr %out
  ret void
}
define void @busy(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ugt i32 %thread_position_in_grid, 100
  br i1 %c, label %last, label %wait
last:
  store i32 1, ptr %out
  br label %done
wait:
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 2, ptr %out
  br label %done
done:
  ret void
}
define void @two(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ugt i32 %thread_position_in_grid, 100
  br i1 %c, label %left, label %right
left:
  call void @__mt_barrier_threadgroup(i32 1)
  br label %done
right:
  call void @__mt_barrier_threadgroup(i32 1)
  br label %done
done:
  store i32 2, ptr %out
  ret void
}
define void @loop(ptr %out, i32 %thread_position_in_grid) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  call void @__mt_barrier_threadgroup(i32 1)
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %thread_position_in_grid
  br i1 %more, label %body, label %done
done:
  store i32 2, ptr %out
  ret void
}
define void @alike(ptr %out, ptr "constant" %in) {
entry:
  %n = load i32, ptr %in
  %c = icmp ugt i32 %n, 100
  br i1 %c, label %then, label %done
then:
  call void @__mt_barrier_threadgroup(i32 1)
  br label %done
done:
  store i32 2, ptr %out
  ret void
}
define void @more(ptr %out, i32 %thread_position_in_grid) {
entry:
  %c = icmp ugt i32 %thread_position_in_grid, 100
  br i1 %c, label %done, label %a
a:
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 1, ptr %out
  %d = icmp ugt i32 %thread_position_in_grid, 50
  br i1 %d, label %done, label %b
b:
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 2, ptr %out
  br label %done
done:
  ret void
}
