; Structs that stay whole: by each way of use that is not a member's address, a
; copy or a fill; and those of which nothing is indexed.
; RUN: split-structs --kernel bytes
; CHECK: alloca { float, [3 x i32] }
; CHECK-NOT: alloca float
; RUN SECOND: split-structs --kernel second
; SECOND: alloca { float, [3 x i32] }
; SECOND-NOT: alloca float
; RUN OTHER: split-structs --kernel other
; OTHER: alloca { float, [3 x i32] }
; OTHER-NOT: alloca float
; RUN PLAIN: split-structs --kernel plain
; PLAIN: alloca { float, [3 x i32] }
; PLAIN-NOT: alloca float
; RUN STORED: split-structs --kernel stored
; STORED: alloca { float, [3 x i32] }
; STORED-NOT: alloca float
; RUN LOADED: split-structs --kernel loaded
; LOADED: alloca { float, [3 x i32] }
; LOADED-NOT: alloca float
; RUN PART: split-structs --kernel part
; PART: alloca { float, [3 x i32] }
; PART-NOT: alloca float
; RUN FILL: split-structs --kernel fill
; FILL: alloca { float, [3 x i32] }
; FILL-NOT: alloca float
; RUN VOLATILE: split-structs --kernel volatile
; VOLATILE: alloca { float, [3 x i32] }
; VOLATILE-NOT: alloca float
; RUN ITSELF: split-structs --kernel itself
; ITSELF: alloca { float, [3 x i32] }
; ITSELF-NOT: alloca float
; RUN CALLED: split-structs --kernel called
; CALLED: alloca { float, [3 x i32] }
; CALLED-NOT: alloca float
; RUN SEVERAL: split-structs --kernel several
; SEVERAL: alloca { float, [3 x i32] }, i32 2
; SEVERAL-NOT: alloca float
; RUN ARRAY: split-structs --kernel array
; ARRAY: alloca [2 x { float, [3 x i32] }]
; ARRAY-NOT: alloca float
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @use(ptr)
define void @bytes(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  %b = getelementptr i8, ptr %s, i64 4
  store i8 1, ptr %b
  ret void
}
define void @second(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  %b = getelementptr { float, [3 x i32] }, ptr %s, i32 1, i32 0
  store i32 1, ptr %b
  ret void
}
define void @other(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  %b = getelementptr { i32, [3 x i32] }, ptr %s, i32 0, i32 0
  store i32 1, ptr %b
  ret void
}
define void @plain(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 2
  store i32 1, ptr %one
  %inner = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1
  %two = getelementptr [3 x i32], ptr %inner, i32 0, i32 1
  store i32 %i, ptr %two
  ret void
}
define void @stored(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  store ptr %s, ptr %out
  ret void
}
define void @loaded(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  %x = load float, ptr %s
  store float %x, ptr %out
  ret void
}
define void @part(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %s, i64 12, i1 false)
  ret void
}
define void @fill(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 4, i1 false)
  ret void
}
define void @volatile(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %s, i64 16, i1 true)
  ret void
}
define void @itself(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %s, i64 16, i1 false)
  ret void
}
define void @called(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  call void @use(ptr %s)
  ret void
}
define void @several(ptr %out, i32 %i) {
  %s = alloca { float, [3 x i32] }, i32 2
  %one = getelementptr { float, [3 x i32] }, ptr %s, i32 0, i32 1, i32 %i
  store i32 1, ptr %one
  ret void
}
define void @array(ptr %out, i32 %i) {
  %s = alloca [2 x { float, [3 x i32] }]
  %one = getelementptr [2 x { float, [3 x i32] }], ptr %s, i32 0, i32 1, i32 1, i32 %i
  store i32 1, ptr %one
  ret void
}
