; What an iteration adds, by every operation that keeps it known; values of an
; outer loop stand still in the inner one, and what wraps or multiplies two
; variables is not known.
; RUN: steps
; CHECK: loop 0: 5 iterations
; CHECK-NEXT: %n: 0 more
; CHECK-NEXT: %i: -2 more
; CHECK-NEXT: %p: 16 more
; CHECK-NEXT: %s: not known
; CHECK-NEXT: %add: -4 more
; CHECK-NEXT: %sub: 2 more
; CHECK-NEXT: %subi: -2 more
; CHECK-NEXT: %mul: 10 more
; CHECK-NEXT: %mulr: not known
; CHECK-NEXT: %muln: not known
; CHECK-NEXT: %shl: -32 more
; CHECK-NEXT: %shln: not known
; CHECK-NEXT: %shl31: not known
; CHECK-NEXT: %or: -32 more
; CHECK-NEXT: %oror: not known
; CHECK-NEXT: %wide: -2 more
; CHECK-NEXT: %wides: 10 more
; CHECK-NEXT: %cut: 10 more
; CHECK-NEXT: %short: not known
; CHECK-NEXT: %shortw: not known
; CHECK-NEXT: %frozen: -2 more
; CHECK-NEXT: %still: 0 more
; CHECK-NEXT: %half: not known
; CHECK-NEXT: %at: -24 more
; CHECK-NEXT: %at2: -4 more
; CHECK-NEXT: %at3: 8 more
; CHECK-NEXT: %pnext: 16 more
; CHECK-NEXT: %x: not known
; CHECK-NEXT: %s2: not known
; CHECK-NEXT: %j: -2 more
; CHECK-NEXT: %c: not known
; RUN COUNTS: steps --kernel counts
; COUNTS: loop 0: not known how often
; COUNTS-NEXT: %n: 0 more
; COUNTS-NEXT: %i: 1 more
; COUNTS-NEXT: %j: not known
; COUNTS-NEXT: %sum: not known
; COUNTS-NEXT: %j2: not known
; COUNTS-NEXT: %more: not known
; COUNTS-NEXT: %i2: 1 more
; COUNTS-NEXT: %again: not known
; COUNTS-NEXT: loop 1: 5 iterations
; COUNTS-NEXT: %n: 0 more
; COUNTS-NEXT: %i: 0 more
; COUNTS-NEXT: %j: 1 more
; COUNTS-NEXT: %sum: 1 more
; COUNTS-NEXT: %j2: 1 more
; COUNTS-NEXT: %more: not known
; COUNTS-NEXT: %i2: 0 more
; COUNTS-NEXT: %again: 0 more
define void @k(ptr %in, ptr %out, ptr "constant" %args, i64 %thread_position_in_grid) {
entry:
  %n = load i32, ptr %args
  br label %loop
loop:
  %i = phi i32 [ 10, %entry ], [ %j, %loop ]
  %p = phi ptr [ %in, %entry ], [ %pnext, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s2, %loop ]
  %add = add i32 %i, %i
  %sub = sub i32 7, %i
  %subi = sub i32 %add, %i
  %mul = mul i32 %i, -5
  %mulr = mul i32 -5, %i
  %muln = mul i32 %i, %n
  %shl = shl i32 %i, 4
  %shln = shl i32 %i, %n
  %shl31 = shl i32 %i, 31
  %or = or disjoint i32 %shl, 3
  %oror = or i32 %i, 3
  %wide = zext i32 %i to i64
  %wides = sext i32 %mul to i64
  %cut = trunc i64 %wides to i32
  %short = trunc i32 %i to i16
  %shortw = zext i16 %short to i32
  %frozen = freeze i32 %i
  %still = add i32 %n, 3
  %half = lshr i32 %i, 1
  %at = getelementptr [3 x i32], ptr %in, i64 %wide, i32 1
  %at2 = getelementptr { i32, [8 x i16] }, ptr %in, i32 0, i32 1, i32 %i
  %at3 = getelementptr i32, ptr %p, i64 %wide
  %pnext = getelementptr i64, ptr %p, i64 2
  %x = load i32, ptr %at
  %s2 = add i32 %s, %x
  store i32 %s2, ptr %out
  %j = add nsw i32 %i, -2
  %c = icmp sgt i32 %j, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @counts(ptr %out, ptr "constant" %args) {
entry:
  %n = load i32, ptr %args
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %sum = add i32 %i, %j
  store i32 %sum, ptr %out
  %j2 = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %j2, 5
  br i1 %more, label %inner, label %latch
latch:
  %i2 = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i2, %n
  br i1 %again, label %outer, label %done
done:
  ret void
}
