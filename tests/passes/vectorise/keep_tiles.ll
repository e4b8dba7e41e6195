; A tile that each iteration fills, from an address that only the group's x and
; the thread's place decide: it is filled for all eight iterations before, in
; slots.
; RUN: noalias-scopes,keep-tiles --no-overlap --group 32,32
; CHECK: @mt.slots = internal global
; CHECK: define void @k(
; CHECK: step:
; CHECK: mt.fill:
; CHECK: phi i64 [ 0, %mt.fill.start ]
; CHECK: !mt.fills
; Where the output may overlap the input the loop stays as it is.
; RUN MAY: noalias-scopes,keep-tiles --group 32,32
; MAY: define void @k(
; MAY-NOT: @mt.slots
declare void @__mt_barrier_threadgroup(i32)
@tile = external global [32 x [32 x float]], section ".msl.threadgroup", align 4
define void @k(ptr %a, ptr %b, ptr %c, <2 x i32> %thread_position_in_threadgroup, <2 x i32> %threadgroup_position_in_grid) {
entry:
  %gx = extractelement <2 x i32> %threadgroup_position_in_grid, i64 0
  %gy = extractelement <2 x i32> %threadgroup_position_in_grid, i64 1
  %lx = extractelement <2 x i32> %thread_position_in_threadgroup, i64 0
  %ly = extractelement <2 x i32> %thread_position_in_threadgroup, i64 1
  %gx32 = shl i32 %gx, 5
  %col = add i32 %gx32, %lx
  %ly64 = zext i32 %ly to i64
  %lx64 = zext i32 %lx to i64
  %to.row = getelementptr [32 x float], ptr @tile, i64 %ly64
  %to = getelementptr float, ptr %to.row, i64 %lx64
  %gy13 = shl i32 %gy, 13
  %ly8 = shl i32 %ly, 8
  %row = add i32 %gy13, %ly8
  %row64 = zext i32 %row to i64
  %tile.col = getelementptr float, ptr @tile, i64 %lx64
  br label %step
step:
  %f = phi i64 [ 0, %entry ], [ %f.next, %step.end ]
  %sum = phi float [ 0.0, %entry ], [ %s.end, %step.end ]
  %f32 = trunc i64 %f to i32
  %from.row = add i32 %ly, %f32
  %from.at = shl i32 %from.row, 8
  %from = add i32 %from.at, %col
  %from64 = zext i32 %from to i64
  %pb = getelementptr float, ptr %b, i64 %from64
  %x = load float, ptr %pb
  store float %x, ptr %to
  call void @__mt_barrier_threadgroup(i32 2)
  br label %inner
inner:
  %t = phi i64 [ 0, %step ], [ %t.next, %inner ]
  %s = phi float [ %sum, %step ], [ %s.next, %inner ]
  %a.step = getelementptr float, ptr %a, i64 %f
  %a.row = getelementptr float, ptr %a.step, i64 %row64
  %a.at = getelementptr float, ptr %a.row, i64 %t
  %av = load float, ptr %a.at
  %tb = getelementptr [32 x float], ptr %tile.col, i64 %t
  %tv = load float, ptr %tb
  %p = fmul fast float %av, %tv
  %s.next = fadd fast float %s, %p
  %t.next = add nuw nsw i64 %t, 1
  %t.end = icmp eq i64 %t.next, 32
  br i1 %t.end, label %step.end, label %inner
step.end:
  %s.end = phi float [ %s.next, %inner ]
  call void @__mt_barrier_threadgroup(i32 2)
  %f.next = add nuw nsw i64 %f, 32
  %more = icmp ult i64 %f, 224
  br i1 %more, label %step, label %done
done:
  %result = phi float [ %s.end, %step.end ]
  %out = add i32 %row, %col
  %out64 = zext i32 %out to i64
  %pc = getelementptr float, ptr %c, i64 %out64
  store float %result, ptr %pc
  ret void
}
