; A barrier in an if on the lane leaves it: all threads wait, and those of the
; if do what is before and after.
; RUN: hoist-barriers
; CHECK: br i1 %c, label %before, label %wait
; CHECK: before:
; CHECK-NEXT: store i32 1, ptr %out
; CHECK: wait:
; CHECK: %0 = phi i1 [ true, %before ], [ false, %entry ]
; CHECK-NEXT: call void @__mt_barrier_threadgroup(i32 1)
; CHECK-NEXT: br i1 %0, label %then, label %join
; CHECK: then:
; CHECK-NEXT: store i32 2, ptr %out
declare void @__mt_barrier_threadgroup(i32)
define void @k(ptr %out, i32 %thread_index_in_simdgroup) {
entry:
  %c = icmp eq i32 %thread_index_in_simdgroup, 0
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %out
  call void @__mt_barrier_threadgroup(i32 1)
  store i32 2, ptr %out
  br label %join
join:
  ret void
}
