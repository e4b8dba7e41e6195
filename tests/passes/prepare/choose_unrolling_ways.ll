; Which short loops are over contiguous elements of each thread, by each way to
; compute the address: their base is at least four words from the next thread's,
; and each round is one word further.
; RUN SHIFTTWO: choose-unrolling --kernel shift_two
; SHIFTTWO: !"llvm.loop.unroll.full"
; RUN SHIFTONE: choose-unrolling --kernel shift_one
; SHIFTONE: ret void
; SHIFTONE-NOT: llvm.loop.unroll.full
; RUN BYFOUR: choose-unrolling --kernel by_four
; BYFOUR: !"llvm.loop.unroll.full"
; RUN BYTHREE: choose-unrolling --kernel by_three
; BYTHREE: ret void
; BYTHREE-NOT: llvm.loop.unroll.full
; RUN BYUNKNOWN: choose-unrolling --kernel by_unknown
; BYUNKNOWN: !"llvm.loop.unroll.full"
; RUN UNKNOWNBY: choose-unrolling --kernel unknown_by
; UNKNOWNBY: !"llvm.loop.unroll.full"
; RUN BYLESS: choose-unrolling --kernel by_less
; BYLESS: ret void
; BYLESS-NOT: llvm.loop.unroll.full
; RUN POSITION: choose-unrolling --kernel position
; POSITION: ret void
; POSITION-NOT: llvm.loop.unroll.full
; RUN NOPOSITION: choose-unrolling --kernel no_position
; NOPOSITION: ret void
; NOPOSITION-NOT: llvm.loop.unroll.full
; RUN SUM: choose-unrolling --kernel sum
; SUM: !"llvm.loop.unroll.full"
; RUN DIFFERENCE: choose-unrolling --kernel difference
; DIFFERENCE: !"llvm.loop.unroll.full"
; RUN OTHERDIFFERENCE: choose-unrolling --kernel other_difference
; OTHERDIFFERENCE: ret void
; OTHERDIFFERENCE-NOT: llvm.loop.unroll.full
; RUN EITHER: choose-unrolling --kernel either
; EITHER: !"llvm.loop.unroll.full"
; RUN BOTH: choose-unrolling --kernel both
; BOTH: ret void
; BOTH-NOT: llvm.loop.unroll.full
; RUN WIDENED: choose-unrolling --kernel widened
; WIDENED: !"llvm.loop.unroll.full"
; RUN NARROWED: choose-unrolling --kernel narrowed
; NARROWED: !"llvm.loop.unroll.full"
; RUN FIRSTOFVECTOR: choose-unrolling --kernel first_of_vector
; FIRSTOFVECTOR: !"llvm.loop.unroll.full"
; RUN SECONDOFVECTOR: choose-unrolling --kernel second_of_vector
; SECONDOFVECTOR: ret void
; SECONDOFVECTOR-NOT: llvm.loop.unroll.full
; RUN INGROUP: choose-unrolling --kernel in_group
; INGROUP: !"llvm.loop.unroll.full"
; RUN INDEX: choose-unrolling --kernel index
; INDEX: !"llvm.loop.unroll.full"
; RUN OFGROUPS: choose-unrolling --kernel of_groups
; OFGROUPS: ret void
; OFGROUPS-NOT: llvm.loop.unroll.full
; RUN TWOROUNDS: choose-unrolling --kernel two_rounds
; TWOROUNDS: ret void
; TWOROUNDS-NOT: llvm.loop.unroll.full
; RUN THREEROUNDS: choose-unrolling --kernel three_rounds
; THREEROUNDS: !"llvm.loop.unroll.full"
; RUN SIXTEENROUNDS: choose-unrolling --kernel sixteen_rounds
; SIXTEENROUNDS: !"llvm.loop.unroll.full"
; RUN SEVENTEENROUNDS: choose-unrolling --kernel seventeen_rounds
; SEVENTEENROUNDS: ret void
; SEVENTEENROUNDS-NOT: llvm.loop.unroll.full
; RUN BYTWOS: choose-unrolling --kernel by_twos
; BYTWOS: ret void
; BYTWOS-NOT: llvm.loop.unroll.full
; RUN COUNTERSCALED: choose-unrolling --kernel counter_scaled
; COUNTERSCALED: ret void
; COUNTERSCALED-NOT: llvm.loop.unroll.full
; RUN NOCOUNTER: choose-unrolling --kernel no_counter
; NOCOUNTER: ret void
; NOCOUNTER-NOT: llvm.loop.unroll.full
; RUN NEXTCOUNTER: choose-unrolling --kernel next_counter
; NEXTCOUNTER: !"llvm.loop.unroll.full"
; RUN VOLATILE: choose-unrolling --kernel volatile
; VOLATILE: ret void
; VOLATILE-NOT: llvm.loop.unroll.full
; RUN FLOATS: choose-unrolling --kernel floats
; FLOATS: !"llvm.loop.unroll.full"
; RUN VECTORS: choose-unrolling --kernel vectors
; VECTORS: ret void
; VECTORS-NOT: llvm.loop.unroll.full
; RUN BYTES: choose-unrolling --kernel bytes
; BYTES: ret void
; BYTES-NOT: llvm.loop.unroll.full
; RUN DOUBLES: choose-unrolling --kernel doubles
; DOUBLES: ret void
; DOUBLES-NOT: llvm.loop.unroll.full
; RUN ROWS: choose-unrolling --kernel rows
; ROWS: !"llvm.loop.unroll.full"
; RUN SHORTROWS: choose-unrolling --kernel short_rows
; SHORTROWS: ret void
; SHORTROWS-NOT: llvm.loop.unroll.full
; RUN TWOINDEXES: choose-unrolling --kernel two_indexes
; TWOINDEXES: ret void
; TWOINDEXES-NOT: llvm.loop.unroll.full
; RUN LOADED: choose-unrolling --kernel loaded
; LOADED: !"llvm.loop.unroll.full"
; RUN LOADEDNEAR: choose-unrolling --kernel loaded_near
; LOADEDNEAR: ret void
; LOADEDNEAR-NOT: llvm.loop.unroll.full
; RUN LOADEDELSEWHERE: choose-unrolling --kernel loaded_elsewhere
; LOADEDELSEWHERE: ret void
; LOADEDELSEWHERE-NOT: llvm.loop.unroll.full
; RUN LOADEDSAME: choose-unrolling --kernel loaded_same
; LOADEDSAME: ret void
; LOADEDSAME-NOT: llvm.loop.unroll.full
define void @shift_two(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @shift_one(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @by_four(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %thread_position_in_grid, 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @by_three(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %thread_position_in_grid, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @by_unknown(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %thread_position_in_grid, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @unknown_by(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %n, %thread_position_in_grid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @by_less(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = mul i32 %thread_position_in_grid, -4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @position(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = add i32 %thread_position_in_grid, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @no_position(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %n, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @sum(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %b = shl i32 %thread_position_in_grid, 2
  %base = add i32 %n, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @difference(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %b = shl i32 %thread_position_in_grid, 2
  %base = sub i32 %b, %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @other_difference(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %b = shl i32 %thread_position_in_grid, 2
  %base = sub i32 %n, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @either(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %b = shl i32 %thread_position_in_grid, 4
  %base = or i32 %n, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @both(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %b = shl i32 %thread_position_in_grid, 4
  %base = and i32 %n, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @widened(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = sext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @narrowed(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %u = trunc i32 %thread_position_in_grid to i16
  %v = zext i16 %u to i32
  %base = shl i32 %v, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @first_of_vector(ptr %out, ptr %in, i32 %n, <2 x i32> %thread_position_in_grid) {
entry:
  %u = extractelement <2 x i32> %thread_position_in_grid, i64 0
  %base = shl i32 %u, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @second_of_vector(ptr %out, ptr %in, i32 %n, <2 x i32> %thread_position_in_grid) {
entry:
  %u = extractelement <2 x i32> %thread_position_in_grid, i64 1
  %base = shl i32 %u, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @in_group(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_threadgroup) {
entry:
  %base = shl i32 %thread_position_in_threadgroup, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @index(ptr %out, ptr %in, i32 %n, i32 %thread_index_in_simdgroup) {
entry:
  %base = shl i32 %thread_index_in_simdgroup, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @of_groups(ptr %out, ptr %in, i32 %n, i32 %threadgroup_position_in_grid) {
entry:
  %base = shl i32 %threadgroup_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @two_rounds(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 2
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @three_rounds(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @sixteen_rounds(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 16
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @seventeen_rounds(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 17
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @by_twos(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 2
  %c = icmp ult i32 %j, 8
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @counter_scaled(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = mul i32 %i, 2
  %at = add i32 %base, %s
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @no_counter(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %n
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @next_counter(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = add i32 %i, 5
  %at = or i32 %s, %base
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @volatile(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load volatile i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @floats(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load float, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @vectors(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load <2 x i32>, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @bytes(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i8, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @doubles(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i64, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @rows(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = add i32 %n, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %r = zext i32 %thread_position_in_grid to i64
  %q = getelementptr [8 x i32], ptr %in, i64 %r
  %p = getelementptr i32, ptr %q, i32 %at
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @short_rows(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = add i32 %n, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %r = zext i32 %thread_position_in_grid to i64
  %q = getelementptr [3 x i32], ptr %in, i64 %r
  %p = getelementptr i32, ptr %q, i32 %at
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @two_indexes(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %base = shl i32 %thread_position_in_grid, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr [8 x i32], ptr %in, i32 %base, i32 %i
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @loaded(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %a = getelementptr i32, ptr %in, i32 %thread_position_in_grid
  %l = load i32, ptr %a
  %base = shl i32 %l, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @loaded_near(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %a = getelementptr i32, ptr %in, i32 %thread_position_in_grid
  %l = load i32, ptr %a
  %base = shl i32 %l, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @loaded_elsewhere(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %l = load i32, ptr %in
  %base = shl i32 %l, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
define void @loaded_same(ptr %out, ptr %in, i32 %n, i32 %thread_position_in_grid) {
entry:
  %a = getelementptr i32, ptr %in, i32 %n
  %l = load i32, ptr %a
  %base = shl i32 %l, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %at = add i32 %base, %i
  %w = zext i32 %at to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  store i32 1, ptr %out
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %done
done:
  ret void
}
