; The values that an index can have, found by each operation on one of two
; numbers: the elements are chosen by them, and by what is not known not at all.
; RUN ADD: arrays-to-registers --kernel add
; ADD: define void @add(
; ADD-NEXT: select i1 %c, i32 105, i32 107
; RUN SUB: arrays-to-registers --kernel sub
; SUB: define void @sub(
; SUB-NEXT: select i1 %c, i32 100, i32 102
; RUN MUL: arrays-to-registers --kernel mul
; MUL: define void @mul(
; MUL-NEXT: select i1 %c, i32 102, i32 106
; RUN BOTH: arrays-to-registers --kernel both
; BOTH: define void @both(
; BOTH-NEXT: select i1 %c, i32 104, i32 105
; RUN OR: arrays-to-registers --kernel or
; OR: define void @or(
; OR-NEXT: select i1 %c, i32 103, i32 106
; RUN XOR: arrays-to-registers --kernel xor
; XOR: define void @xor(
; XOR-NEXT: select i1 %c, i32 106, i32 101
; RUN SHL: arrays-to-registers --kernel shl
; SHL: define void @shl(
; SHL-NEXT: select i1 %c, i32 102, i32 106
; RUN LSHR: arrays-to-registers --kernel lshr
; LSHR: define void @lshr(
; LSHR-NEXT: select i1 %c, i32 103, i32 106
; RUN TRUNC: arrays-to-registers --kernel trunc
; TRUNC: define void @trunc(
; TRUNC-NEXT: select i1 %c, i32 103, i32 105
; RUN WIDE: arrays-to-registers --kernel wide
; WIDE: define void @wide(
; WIDE-NEXT: select i1 %c, i32 103, i32 105
; RUN SIGNED: arrays-to-registers --kernel signed
; SIGNED: define void @signed(
; SIGNED: store i32 102, ptr %out
; RUN WRAPS: arrays-to-registers --kernel wraps
; WRAPS: define void @wraps(
; WRAPS-NEXT: select i1 %c, i32 107, i32 103
; RUN NARROW: arrays-to-registers --kernel narrow
; NARROW: define void @narrow(
; NARROW: store i32 104, ptr %out
; RUN BITS: arrays-to-registers --kernel bits
; BITS: define void @bits(
; BITS: icmp eq i32 %t, 1
; BITS-NEXT: i32 101, i32 100
; BITS-NEXT: icmp eq i32 %t, 4
; BITS-NEXT: i32 104, i32 %2
; BITS-NEXT: icmp eq i32 %t, 5
; BITS-NEXT: i32 105, i32 %4
; BITS-NEXT: store
; RUN REST: arrays-to-registers --kernel rest
; REST: define void @rest(
; REST: icmp eq i32 %t, 1
; REST-NEXT: i32 101, i32 100
; REST-NEXT: icmp eq i32 %t, 2
; REST-NEXT: i32 102, i32 %2
; REST-NEXT: store
; RUN COMPARE: arrays-to-registers --kernel compare
; COMPARE: define void @compare(
; COMPARE: select i1 %d, i32 104, i32 103
; RUN MINUS: arrays-to-registers --kernel minus
; MINUS: define void @minus(
; MINUS: select i1 %d, i32 102, i32 103
; RUN UNKNOWN: arrays-to-registers --kernel unknown
; UNKNOWN: define void @unknown(
; UNKNOWN-NEXT: %a = alloca [9 x i32]
; RUN MUCH: arrays-to-registers --kernel much
; MUCH: define void @much(
; MUCH-NEXT: %a = alloca [9 x i32]
; RUN MANY: arrays-to-registers --kernel many
; MANY: define void @many(
; MANY-NEXT: %a = alloca [9 x i32]
; RUN DIVIDED: arrays-to-registers --kernel divided
; DIVIDED: define void @divided(
; DIVIDED-NEXT: %a = alloca [9 x i32]
; RUN FAR: arrays-to-registers --kernel far
; FAR: define void @far(
; FAR-NEXT: %a = alloca [9 x i32]
; RUN NEGATIVE: arrays-to-registers --kernel negative
; NEGATIVE: define void @negative(
; NEGATIVE-NEXT: %a = alloca [9 x i32]
; RUN OUTSIDE: arrays-to-registers --kernel outside
; OUTSIDE: define void @outside(
; OUTSIDE-NEXT: %a = alloca [9 x i32]
; RUN SWAPPED: arrays-to-registers --kernel swapped
; SWAPPED: define void @swapped(
; SWAPPED-NEXT: %a = alloca [9 x i32]
; RUN DEEP: arrays-to-registers --kernel deep
; DEEP: define void @deep(
; DEEP-NEXT: %a = alloca [4 x [9 x i32]]
define void @add(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 3, i32 5
  %t = add i32 %x, 2
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @sub(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 3, i32 5
  %t = sub i32 %x, 3
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @mul(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 1, i32 3
  %t = mul i32 %x, 2
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @both(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 6, i32 13
  %t = and i32 %x, 5
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @or(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 1, i32 4
  %t = or i32 %x, 2
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @xor(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 1, i32 6
  %t = xor i32 %x, 7
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @shl(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 1, i32 3
  %t = shl i32 %x, 1
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @lshr(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 6, i32 13
  %t = lshr i32 %x, 1
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @trunc(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 259, i32 517
  %u = trunc i32 %x to i8
  %t = zext i8 %u to i32
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @wide(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 3, i32 5
  %u = zext i32 %x to i64
  %t = trunc i64 %u to i32
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @signed(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 254, i32 6
  %u = trunc i32 %x to i8
  %s = sext i8 %u to i32
  %t = add i32 %s, 4
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @wraps(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 -1, i32 -5
  %t = add i32 %x, 8
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @narrow(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 250, i32 3
  %u = trunc i32 %x to i8
  %s = add i8 %u, 10
  %t = zext i8 %s to i32
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @bits(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = and i32 %n, 5
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @rest(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = urem i32 %n, 3
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @compare(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %d = icmp ult i32 %n, 7
  %z = zext i1 %d to i32
  %t = add i32 %z, 3
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @minus(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %d = icmp ult i32 %n, 7
  %z = sext i1 %d to i32
  %t = add i32 %z, 3
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @unknown(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = add i32 %n, 1
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @much(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = and i32 %n, 16
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @many(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = urem i32 %n, 17
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @divided(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 3, i32 5
  %t = sdiv i32 %x, 2
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @far(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 3, i32 5
  %t = shl i32 %x, 32
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @negative(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = and i32 %n, -2
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @outside(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %x = select i1 %c, i32 9, i32 -1
  %t = add i32 %x, 0
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @swapped(ptr %out, i1 %c, i32 %n) {
  %a = alloca [9 x i32]
  %e0 = getelementptr [9 x i32], ptr %a, i32 0, i32 0
  store i32 100, ptr %e0
  %e1 = getelementptr [9 x i32], ptr %a, i32 0, i32 1
  store i32 101, ptr %e1
  %e2 = getelementptr [9 x i32], ptr %a, i32 0, i32 2
  store i32 102, ptr %e2
  %e3 = getelementptr [9 x i32], ptr %a, i32 0, i32 3
  store i32 103, ptr %e3
  %e4 = getelementptr [9 x i32], ptr %a, i32 0, i32 4
  store i32 104, ptr %e4
  %e5 = getelementptr [9 x i32], ptr %a, i32 0, i32 5
  store i32 105, ptr %e5
  %e6 = getelementptr [9 x i32], ptr %a, i32 0, i32 6
  store i32 106, ptr %e6
  %e7 = getelementptr [9 x i32], ptr %a, i32 0, i32 7
  store i32 107, ptr %e7
  %e8 = getelementptr [9 x i32], ptr %a, i32 0, i32 8
  store i32 108, ptr %e8
  %t = urem i32 3, %n
  %p = getelementptr [9 x i32], ptr %a, i32 0, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
define void @deep(ptr %out, i1 %c, i32 %n) {
  %a = alloca [4 x [9 x i32]]
  %e = getelementptr [4 x [9 x i32]], ptr %a, i32 0, i32 1, i32 3
  store i32 %n, ptr %e
  %x = select i1 %c, i32 3, i32 5
  %t = add i32 %x, 0
  %p = getelementptr [4 x [9 x i32]], ptr %a, i32 0, i32 1, i32 %t
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  ret void
}
