; A barrier cuts the code of a threadgroup into regions: functions that say which
; one is next.
; RUN: emit
; CHECK: define internal void @k(
; CHECK: define internal i32 @mt_region(
; CHECK: store <32 x i32>
; CHECK: ret i32 1
; CHECK: define internal i32 @mt_region.1(
; CHECK: leave:
; CHECK-NEXT: ret i32 -1
; CHECK: load <32 x i32>
; CHECK: define void @
declare void @__mt_barrier_threadgroup(i32)
@tile = external global [256 x i32], section ".msl.threadgroup", align 4
define void @k(ptr %out, i32 %thread_position_in_threadgroup) {
  %p = getelementptr i32, ptr @tile, i32 %thread_position_in_threadgroup
  store i32 %thread_position_in_threadgroup, ptr %p
  call void @__mt_barrier_threadgroup(i32 2)
  %r = sub i32 255, %thread_position_in_threadgroup
  %q = getelementptr i32, ptr @tile, i32 %r
  %v = load i32, ptr %q
  %s = getelementptr i32, ptr %out, i32 %thread_position_in_threadgroup
  store i32 %v, ptr %s
  ret void
}
