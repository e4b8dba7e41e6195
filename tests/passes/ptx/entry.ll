; The entry has a parameter for each thing that a launch binds, in global memory,
; and positions out of special registers.
; RUN: ptx-threadgroup,ptx-calls,ptx-entry
; CHECK: ptx_kernel void @
; CHECK: ptr addrspace(1)
define void @k(ptr %out, i32 %thread_position_in_grid) {
  %p = getelementptr i32, ptr %out, i32 %thread_position_in_grid
  store i32 1, ptr %p
  ret void
}
