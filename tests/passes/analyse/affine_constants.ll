; What is known in every lane is computed for each of them: lane numbers through
; every operation, in the width of its type; what has no value is left alone.
; RUN: affine
; CHECK: %thread_index_in_simdgroup: 0 + 1 lane
; CHECK-NEXT: %add: 7 + 1 lane
; CHECK-NEXT: %sub: -7 + 1 lane
; CHECK-NEXT: %mul: 2 from 0 by 1, 2 from 4 by 5, 2 from 16 by 9, 2 from 36 by 13, 2 from 64 by 17,
; CHECK-NEXT: %udiv: 8 from 0 by 0, 8 from 1 by 0, 8 from 2 by 0, 8 from 3 by 0
; CHECK-NEXT: %urem: 8 from 0 by 1, 8 from 0 by 1, 8 from 0 by 1, 8 from 0 by 1
; CHECK-NEXT: %udivl: 2 from 9 by -2, 3 from 7 by -1, 2 from 5 by -1, 2 from 4 by 0, 6 from 3 by 0,
; CHECK-NEXT: %and: 2 from 0 by 0, 2 from 2 by 0, 2 from 4 by 0, 2 from 6 by 0, 2 from 0 by 0, 2 from 2 by 0,
; CHECK-NEXT: %or: 8 from 24 by 1, 8 from 24 by 1, 8 from 24 by 1, 8 from 24 by 1
; CHECK-NEXT: %xor: 4 from 3 by -1, 4 from 7 by -1, 4 from 11 by -1, 4 from 15 by -1, 4 from 19 by -1,
; CHECK-NEXT: %shl: 0 + 8 lane
; CHECK-NEXT: %shll: 2 from 1 by 1, 2 from 4 by 4, 2 from 16 by 16, 2 from 64 by 64, 2 from 256 by 256,
; CHECK-NEXT: %shl31: 2 from 0 by -2147483648, 2 from 0 by -2147483648, 2 from 0 by -2147483648,
; CHECK-NEXT: %lshr: 7 from 15 by 0, 25 from 0 by 0
; CHECK-NEXT: %lshr1: 2 from 0 by 0, 2 from 1 by 0, 2 from 2 by 0, 2 from 3 by 0, 2 from 4 by 0, 2 from 5 by 0,
; CHECK-NEXT: %ashr: 2 from -4 by 1, 2 from -3 by 1, 2 from -2 by 1, 2 from -1 by 1, 2 from 0 by 1, 2 from 1 by 1,
; CHECK-NEXT: %eq: 5 from 0 by 0, 2 from -1 by 1, 25 from 0 by 0
; CHECK-NEXT: %ne: 5 from -1 by 0, 2 from 0 by -1, 25 from -1 by 0
; CHECK-NEXT: %ugt: 7 from -1 by 0, 6 from 0 by 0, 19 from -1 by 0
; CHECK-NEXT: %uge: 7 from -1 by 0, 5 from 0 by 0, 20 from -1 by 0
; CHECK-NEXT: %ult: 7 from 0 by 0, 5 from -1 by 0, 20 from 0 by 0
; CHECK-NEXT: %ule: 7 from 0 by 0, 6 from -1 by 0, 19 from 0 by 0
; CHECK-NEXT: %sgt: 13 from 0 by 0, 19 from -1 by 0
; CHECK-NEXT: %sge: 12 from 0 by 0, 20 from -1 by 0
; CHECK-NEXT: %slt: 12 from -1 by 0, 20 from 0 by 0
; CHECK-NEXT: %sle: 13 from -1 by 0, 19 from 0 by 0
; CHECK-NEXT: %times: 0 + 16 lane
; CHECK-NEXT: %byte: 8 from 0 by 16, 16 from -128 by 16, 8 from -128 by 16
; CHECK-NEXT: %sext: 8 from 0 by 16, 16 from -128 by 16, 8 from -128 by 16
; CHECK-NEXT: %zext: 16 from 0 by 16, 16 from 0 by 16
; CHECK-NEXT: %double: 4 from 0 by 32, 8 from -128 by 32, 8 from -128 by 32, 8 from -128 by 32, 4 from -128 by 32
; CHECK-NEXT: %long: 7 from 4294967289 by 1, 25 from 0 by 1
; CHECK-NEXT: %longs: -7 + 1 lane
; CHECK-NEXT: %high: 0
; CHECK-NEXT: %wide: 2 from 49 by -13, 2 from 25 by -9, 2 from 9 by -5, 2 from 1 by -1, 2 from 1 by 3,
; CHECK-NEXT: %bit: 5 from 0 by 0, 2 from 1 by -1, 25 from 0 by 0
; CHECK-NEXT: %far: 0 + 1 lane
; CHECK-NEXT: %pointer: 0 + 1 lane
; CHECK-NEXT: %at: base + 0 + 2 lane
; CHECK-NEXT: %huge: 0 + 1 lane
; CHECK-NOT: %part
declare void @use(i32)
define void @k(ptr %out, i32 %thread_index_in_simdgroup) {
  %add = add i32 %thread_index_in_simdgroup, 7
  %sub = sub i32 %thread_index_in_simdgroup, 7
  %mul = mul i32 %thread_index_in_simdgroup, %thread_index_in_simdgroup
  %udiv = udiv i32 %thread_index_in_simdgroup, 8
  %urem = urem i32 %thread_index_in_simdgroup, 8
  %udiv0 = udiv i32 %thread_index_in_simdgroup, 0
  %urem0 = urem i32 %thread_index_in_simdgroup, 0
  %udivl = udiv i32 63, %add
  %and = and i32 %thread_index_in_simdgroup, 6
  %or = or i32 %thread_index_in_simdgroup, 24
  %xor = xor i32 %thread_index_in_simdgroup, 3
  %shl = shl i32 %thread_index_in_simdgroup, 3
  %shll = shl i32 1, %thread_index_in_simdgroup
  %shl31 = shl i32 %thread_index_in_simdgroup, 31
  %shl32 = shl i32 %thread_index_in_simdgroup, 32
  %lshr = lshr i32 %sub, 28
  %lshr1 = lshr i32 %thread_index_in_simdgroup, 1
  %ashr = ashr i32 %sub, 1
  %ashr32 = ashr i32 %sub, 32
  %sdiv = sdiv i32 %thread_index_in_simdgroup, 2
  %eq = icmp eq i32 %thread_index_in_simdgroup, 5
  %ne = icmp ne i32 %thread_index_in_simdgroup, 5
  %ugt = icmp ugt i32 %sub, 5
  %uge = icmp uge i32 %sub, 5
  %ult = icmp ult i32 %sub, 5
  %ule = icmp ule i32 %sub, 5
  %sgt = icmp sgt i32 %sub, 5
  %sge = icmp sge i32 %sub, 5
  %slt = icmp slt i32 %sub, 5
  %sle = icmp sle i32 %sub, 5
  %times = mul i32 %thread_index_in_simdgroup, 16
  %byte = trunc i32 %times to i8
  %sext = sext i8 %byte to i32
  %zext = zext i8 %byte to i32
  %double = add i8 %byte, %byte
  %long = zext i32 %sub to i64
  %longs = sext i32 %sub to i64
  %high = lshr i64 %long, 32
  %wide = mul i64 %longs, %longs
  %bit = zext i1 %eq to i32
  %far = zext i32 %thread_index_in_simdgroup to i64
  %pointer = inttoptr i64 %far to ptr
  %at = getelementptr i8, ptr %pointer, i32 %thread_index_in_simdgroup
  %huge = zext i32 %thread_index_in_simdgroup to i128
  %part = trunc i128 %huge to i32
  ret void
}
