; The memory of pointers that are chosen, carried by loops, kept in memory, or
; said to be nothing.
; RUN: address-spaces
; CHECK: %own: private, the thread's own
; CHECK: %both: unknown
; CHECK: %outs: device
; CHECK: %nulls: private, the thread's own
; CHECK: %nullr: private, the thread's own
; CHECK: %frozen: private, the thread's own
; CHECK: %t: constant
; CHECK: %tp: threadgroup
; CHECK: %kept: private, the thread's own
; CHECK: %kept: private, the thread's own
; CHECK: %back: unknown
; CHECK: %args: device, of %args
; CHECK: %linked: device
; CHECK: %linked: device
; CHECK: %twice: device
; CHECK: @tile: threadgroup
; CHECK: %fromtile: unknown
; CHECK: %in: constant, of %in
; CHECK: %fromin: device
; CHECK: %cast: unknown
; CHECK: %p: device, of %out
; CHECK: %q: unknown
; CHECK: %r: private, the thread's own
; CHECK: %s: private, the thread's own
@table = internal constant [4 x i32] zeroinitializer
@tile = internal global [4 x i32] undef, section ".msl.threadgroup"
define void @k(ptr %out, ptr "constant" %in, ptr %args, i32 %thread_position_in_grid) {
entry:
  %own = alloca [4 x i32]
  %kept = alloca ptr
  store i32 %thread_position_in_grid, ptr %own
  %c = icmp ult i32 %thread_position_in_grid, 7
  %both = select i1 %c, ptr %out, ptr %own
  %outs = select i1 %c, ptr %out, ptr %args
  %nulls = select i1 %c, ptr null, ptr %own
  %nullr = select i1 %c, ptr %own, ptr undef
  %step = getelementptr i32, ptr %own, i32 1
  %frozen = freeze ptr %step
  store i32 1, ptr %both
  store i32 1, ptr %outs
  store i32 1, ptr %nulls
  store i32 1, ptr %nullr
  store i32 1, ptr %frozen
  %t = getelementptr [4 x i32], ptr @table, i32 0, i32 %thread_position_in_grid
  %v = load i32, ptr %t
  %tp = getelementptr [4 x i32], ptr @tile, i32 0, i32 %thread_position_in_grid
  store i32 %v, ptr %tp
  store ptr %own, ptr %kept
  %back = load ptr, ptr %kept
  store i32 2, ptr %back
  %linked = load ptr, ptr %args
  store i32 3, ptr %linked
  %twice = load ptr, ptr %linked
  store i32 4, ptr %twice
  %fromtile = load ptr, ptr @tile
  store i32 5, ptr %fromtile
  %fromin = load ptr, ptr %in
  store i32 6, ptr %fromin
  %int = ptrtoint ptr %own to i64
  %cast = inttoptr i64 %int to ptr
  store i32 7, ptr %cast
  br label %loop
loop:
  %p = phi ptr [ %out, %entry ], [ %pn, %loop ]
  %q = phi ptr [ %own, %entry ], [ %out, %loop ]
  %r = phi ptr [ undef, %entry ], [ %own, %loop ]
  %s = phi ptr [ %own, %entry ], [ %s, %loop ]
  store i32 8, ptr %p
  store i32 9, ptr %q
  store i32 10, ptr %r
  store i32 11, ptr %s
  %pn = getelementptr i32, ptr %p, i32 1
  %more = icmp ult ptr %pn, %args
  br i1 %more, label %loop, label %done
done:
  ret void
}
