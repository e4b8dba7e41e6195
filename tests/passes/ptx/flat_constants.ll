; A constant with vectors of three is an array of bytes: 12 and 4 of padding.
; RUN: ptx-flat-constants
; CHECK: [32 x i8]
; CHECK-NOT: <3 x i32>
@table = internal addrspace(1) constant [2 x <3 x i32>] [<3 x i32> <i32 1, i32 2, i32 3>, <3 x i32> <i32 4, i32 5, i32 6>]
define void @k(ptr %out, i64 %i) {
  %p = getelementptr i8, ptr addrspace(1) @table, i64 %i
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr %out
  ret void
}
