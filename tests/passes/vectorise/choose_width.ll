; Where all threads add to one number, one addition serves several SIMD-groups.
; RUN: choose-width,emit
; CHECK: define internal i32 @mt_region(
; CHECK: select i1 %3, <64 x i1>
; CHECK: call i32 @llvm.vector.reduce.add.v64i32(
; CHECK-NOT: <32 x i1>
; Of a group that has one SIMD-group there is no more.
; RUN SMALL: choose-width,emit --group 32
; SMALL: <32 x i1>
; SMALL-NOT: <64 x i1>
; Nothing is chosen by another row.
; RUN ALONE: emit
; ALONE: <32 x i1>
; ALONE-NOT: <64 x i1>
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %x = atomicrmw add ptr %out, i32 1 monotonic
  ret void
}
