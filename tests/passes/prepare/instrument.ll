; The checker's probes: before each access of shared memory, each barrier and
; each division; none at a private variable.
; RUN: instrument-accesses
; CHECK: define void @k(
; CHECK-NEXT: %1 = call ptr @__mt_probe_at(i32 1, ptr %out, ptr %out, i64 8589934596)
; CHECK-NEXT: %x = load i32, ptr %1
; CHECK-NEXT: icmp eq i32 %thread_position_in_grid, 0
; CHECK: call void @__mt_probe_if(i32 2, i1 %6, i64 %7)
; CHECK-NEXT: select i1 %6, i32 1, i32 %thread_position_in_grid
; CHECK-NEXT: %y = sdiv i32 %x, %8
; CHECK-NEXT: call void @__mt_probe_wait(i32 3)
; CHECK-NEXT: call void @__mt_barrier_threadgroup(i32 3)
; CHECK-NEXT: call void @__mt_probe_go(i32 3)
; CHECK-NEXT: %9 = call ptr @__mt_probe_at_i32(i32 4, ptr %out, ptr %out, i64 1108101562372, i32 %y)
; CHECK-NEXT: store i32 %y, ptr %9
; RUN SWEPT: instrument-accesses,verify-checked,fold-checked,sweep-probes
; SWEPT: define void @k(
; SWEPT: call void @__mt_probe
declare void @__mt_barrier_threadgroup(i32)
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %x = load i32, ptr %out
  %y = sdiv i32 %x, %thread_position_in_grid
  call void @__mt_barrier_threadgroup(i32 3)
  store i32 %y, ptr %out
  ret void
}
