; When an array has one copy for all lanes: its address goes nowhere else, what
; is stored is no pointer to a thread's own memory, and no lane loads what only
; other lanes have stored, unless its lifetime has begun again.
; RUN: uniform-memory
; CHECK: %filled: one copy for all lanes
; CHECK-NEXT: %passed: a copy for each lane
; CHECK-NEXT: %kept: a copy for each lane
; CHECK-NEXT: %number: a copy for each lane
; CHECK-NEXT: %atomic: a copy for each lane
; CHECK-NEXT: %volatile: a copy for each lane
; CHECK-NEXT: %pointers: a copy for each lane
; CHECK-NEXT: %buffers: one copy for all lanes
; CHECK-NEXT: %unused: one copy for all lanes
; CHECK-NEXT: %varied: a copy for each lane
; CHECK-NEXT: %copied: a copy for each lane
; RUN SIDES: uniform-memory --kernel sides
; SIDES: %inside: one copy for all lanes
; SIDES-NEXT: %across: a copy for each lane
; SIDES-NEXT: %after: a copy for each lane
; SIDES-NEXT: %again: one copy for all lanes
; SIDES-NEXT: %late: a copy for each lane
; SIDES-NEXT: %before: one copy for all lanes
; SIDES-NEXT: %right: a copy for each lane
; RUN LOOP: uniform-memory --kernel loop
; LOOP: %inside: one copy for all lanes
; LOOP-NEXT: %after: a copy for each lane
; LOOP-NEXT: %alike: one copy for all lanes
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
  %filled = alloca [4 x i32]
  %passed = alloca ptr
  %kept = alloca [4 x i32]
  %number = alloca [4 x i32]
  %atomic = alloca i32
  %volatile = alloca i32
  %pointers = alloca [2 x ptr]
  %buffers = alloca [2 x ptr]
  %unused = alloca i32
  %varied = alloca [4 x i8]
  %copied = alloca [4 x i32]
  %b = trunc i32 %thread_position_in_grid to i8
  call void @llvm.memset.p0.i64(ptr %filled, i8 0, i64 16, i1 false)
  call void @llvm.memset.p0.i64(ptr %varied, i8 %b, i64 4, i1 false)
  store ptr %kept, ptr %passed
  store i32 1, ptr %kept
  %int = ptrtoint ptr %number to i64
  %t = trunc i64 %int to i32
  store i32 %t, ptr %out
  store atomic i32 1, ptr %atomic monotonic, align 4
  store volatile i32 1, ptr %volatile
  store ptr %kept, ptr %pointers
  store ptr %out, ptr %buffers
  call void @llvm.memcpy.p0.p0.i64(ptr %copied, ptr %in, i64 16, i1 false)
  %x = load i32, ptr %filled
  store i32 %x, ptr %out
  ret void
}
define void @sides(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %inside = alloca i32
  %across = alloca i32
  %after = alloca i32
  %again = alloca i32
  %late = alloca i32
  %before = alloca i32
  %right = alloca i32
  store i32 1, ptr %before
  %c = icmp ult i32 %thread_position_in_grid, 7
  br i1 %c, label %left, label %other
left:
  store i32 1, ptr %inside
  %a = load i32, ptr %inside
  store i32 %a, ptr %across
  store i32 %a, ptr %after
  store i32 %a, ptr %again
  store i32 %a, ptr %late
  %b = load i32, ptr %right
  br label %met
other:
  %d = load i32, ptr %across
  store i32 %d, ptr %out
  store i32 2, ptr %right
  br label %met
met:
  call void @llvm.lifetime.start.p0(i64 4, ptr %again)
  %e = load i32, ptr %after
  %f = load i32, ptr %again
  %g = load i32, ptr %late
  call void @llvm.lifetime.start.p0(i64 4, ptr %late)
  call void @llvm.lifetime.end.p0(i64 4, ptr %late)
  %h = load i32, ptr %before
  store i32 %h, ptr %out
  ret void
}
define void @loop(ptr %out, ptr "constant" %in, i32 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %in
  %inside = alloca i32
  %after = alloca i32
  %alike = alloca i32
  store i32 0, ptr %inside
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %a = load i32, ptr %inside
  %b = add i32 %a, 1
  store i32 %b, ptr %inside
  store i32 %b, ptr %after
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %thread_position_in_grid
  br i1 %more, label %body, label %left
left:
  %x = load i32, ptr %after
  store i32 %x, ptr %out
  br label %second
second:
  %k = phi i32 [ 0, %left ], [ %l, %second ]
  store i32 %k, ptr %alike
  %l = add i32 %k, 1
  %again = icmp ult i32 %l, %n
  br i1 %again, label %second, label %done
done:
  %y = load i32, ptr %alike
  store i32 %y, ptr %out
  ret void
}
