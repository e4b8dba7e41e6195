; Constants are in global memory, and uses cast their address.
; RUN: ptx-constants
; CHECK: @0 = internal addrspace(1) constant [2 x i32] [i32 3, i32 5]
; CHECK: addrspacecast (ptr addrspace(1) @0 to ptr)
@table = internal constant [2 x i32] [i32 3, i32 5]
define void @k(ptr %out, i32 %i) {
  %p = getelementptr i32, ptr @table, i32 %i
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  ret void
}
