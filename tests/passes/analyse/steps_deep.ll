; Values that are computed in many steps: those that are too far from the loop's
; variable are not known, whatever the steps are.
; RUN: steps
; CHECK: %f16: 1 more
; CHECK-NEXT: %f17: not known
; CHECK: %g16: 4 more
; CHECK-NEXT: %g17: not known
; CHECK: %a16: 1 more
; CHECK-NEXT: %a17: not known
; CHECK: %b16: 1 more
; CHECK-NEXT: %b17: not known
; CHECK: %c16: 1 more
; CHECK-NEXT: %c17: not known
; CHECK: %d16: 1 more
; CHECK-NEXT: %d17: not known
; CHECK: %m16: 1 more
; CHECK-NEXT: %m17: not known
; CHECK: %s16: 1 more
; CHECK-NEXT: %s17: not known
; CHECK: %o16: 1 more
; CHECK-NEXT: %o17: not known
; CHECK: %z16: 1 more
; CHECK-NEXT: %z17: not known
; CHECK: %v16: 1 more
; CHECK-NEXT: %v17: not known
define void @k(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = phi ptr [ %out, %entry ], [ %q, %loop ]
  %f1 = freeze i64 %i
  %f2 = freeze i64 %f1
  %f3 = freeze i64 %f2
  %f4 = freeze i64 %f3
  %f5 = freeze i64 %f4
  %f6 = freeze i64 %f5
  %f7 = freeze i64 %f6
  %f8 = freeze i64 %f7
  %f9 = freeze i64 %f8
  %f10 = freeze i64 %f9
  %f11 = freeze i64 %f10
  %f12 = freeze i64 %f11
  %f13 = freeze i64 %f12
  %f14 = freeze i64 %f13
  %f15 = freeze i64 %f14
  %f16 = freeze i64 %f15
  %f17 = freeze i64 %f16
  %f18 = freeze i64 %f17
  %f19 = freeze i64 %f18
  %f20 = freeze i64 %f19
  %g1 = getelementptr i8, ptr %p, i64 1
  %g2 = getelementptr i8, ptr %g1, i64 1
  %g3 = getelementptr i8, ptr %g2, i64 1
  %g4 = getelementptr i8, ptr %g3, i64 1
  %g5 = getelementptr i8, ptr %g4, i64 1
  %g6 = getelementptr i8, ptr %g5, i64 1
  %g7 = getelementptr i8, ptr %g6, i64 1
  %g8 = getelementptr i8, ptr %g7, i64 1
  %g9 = getelementptr i8, ptr %g8, i64 1
  %g10 = getelementptr i8, ptr %g9, i64 1
  %g11 = getelementptr i8, ptr %g10, i64 1
  %g12 = getelementptr i8, ptr %g11, i64 1
  %g13 = getelementptr i8, ptr %g12, i64 1
  %g14 = getelementptr i8, ptr %g13, i64 1
  %g15 = getelementptr i8, ptr %g14, i64 1
  %g16 = getelementptr i8, ptr %g15, i64 1
  %g17 = getelementptr i8, ptr %g16, i64 1
  %g18 = getelementptr i8, ptr %g17, i64 1
  %g19 = getelementptr i8, ptr %g18, i64 1
  %g20 = getelementptr i8, ptr %g19, i64 1
  %a1 = add i64 1, %i
  %a2 = add i64 1, %a1
  %a3 = add i64 1, %a2
  %a4 = add i64 1, %a3
  %a5 = add i64 1, %a4
  %a6 = add i64 1, %a5
  %a7 = add i64 1, %a6
  %a8 = add i64 1, %a7
  %a9 = add i64 1, %a8
  %a10 = add i64 1, %a9
  %a11 = add i64 1, %a10
  %a12 = add i64 1, %a11
  %a13 = add i64 1, %a12
  %a14 = add i64 1, %a13
  %a15 = add i64 1, %a14
  %a16 = add i64 1, %a15
  %a17 = add i64 1, %a16
  %a18 = add i64 1, %a17
  %a19 = add i64 1, %a18
  %a20 = add i64 1, %a19
  %b1 = add i64 %i, 1
  %b2 = add i64 %b1, 1
  %b3 = add i64 %b2, 1
  %b4 = add i64 %b3, 1
  %b5 = add i64 %b4, 1
  %b6 = add i64 %b5, 1
  %b7 = add i64 %b6, 1
  %b8 = add i64 %b7, 1
  %b9 = add i64 %b8, 1
  %b10 = add i64 %b9, 1
  %b11 = add i64 %b10, 1
  %b12 = add i64 %b11, 1
  %b13 = add i64 %b12, 1
  %b14 = add i64 %b13, 1
  %b15 = add i64 %b14, 1
  %b16 = add i64 %b15, 1
  %b17 = add i64 %b16, 1
  %b18 = add i64 %b17, 1
  %b19 = add i64 %b18, 1
  %b20 = add i64 %b19, 1
  %c1 = sub i64 %i, 1
  %c2 = sub i64 %c1, 1
  %c3 = sub i64 %c2, 1
  %c4 = sub i64 %c3, 1
  %c5 = sub i64 %c4, 1
  %c6 = sub i64 %c5, 1
  %c7 = sub i64 %c6, 1
  %c8 = sub i64 %c7, 1
  %c9 = sub i64 %c8, 1
  %c10 = sub i64 %c9, 1
  %c11 = sub i64 %c10, 1
  %c12 = sub i64 %c11, 1
  %c13 = sub i64 %c12, 1
  %c14 = sub i64 %c13, 1
  %c15 = sub i64 %c14, 1
  %c16 = sub i64 %c15, 1
  %c17 = sub i64 %c16, 1
  %c18 = sub i64 %c17, 1
  %c19 = sub i64 %c18, 1
  %c20 = sub i64 %c19, 1
  %d1 = sub i64 1, %i
  %d2 = sub i64 1, %d1
  %d3 = sub i64 1, %d2
  %d4 = sub i64 1, %d3
  %d5 = sub i64 1, %d4
  %d6 = sub i64 1, %d5
  %d7 = sub i64 1, %d6
  %d8 = sub i64 1, %d7
  %d9 = sub i64 1, %d8
  %d10 = sub i64 1, %d9
  %d11 = sub i64 1, %d10
  %d12 = sub i64 1, %d11
  %d13 = sub i64 1, %d12
  %d14 = sub i64 1, %d13
  %d15 = sub i64 1, %d14
  %d16 = sub i64 1, %d15
  %d17 = sub i64 1, %d16
  %d18 = sub i64 1, %d17
  %d19 = sub i64 1, %d18
  %d20 = sub i64 1, %d19
  %m1 = mul i64 %i, 1
  %m2 = mul i64 %m1, 1
  %m3 = mul i64 %m2, 1
  %m4 = mul i64 %m3, 1
  %m5 = mul i64 %m4, 1
  %m6 = mul i64 %m5, 1
  %m7 = mul i64 %m6, 1
  %m8 = mul i64 %m7, 1
  %m9 = mul i64 %m8, 1
  %m10 = mul i64 %m9, 1
  %m11 = mul i64 %m10, 1
  %m12 = mul i64 %m11, 1
  %m13 = mul i64 %m12, 1
  %m14 = mul i64 %m13, 1
  %m15 = mul i64 %m14, 1
  %m16 = mul i64 %m15, 1
  %m17 = mul i64 %m16, 1
  %m18 = mul i64 %m17, 1
  %m19 = mul i64 %m18, 1
  %m20 = mul i64 %m19, 1
  %s1 = shl i64 %i, 0
  %s2 = shl i64 %s1, 0
  %s3 = shl i64 %s2, 0
  %s4 = shl i64 %s3, 0
  %s5 = shl i64 %s4, 0
  %s6 = shl i64 %s5, 0
  %s7 = shl i64 %s6, 0
  %s8 = shl i64 %s7, 0
  %s9 = shl i64 %s8, 0
  %s10 = shl i64 %s9, 0
  %s11 = shl i64 %s10, 0
  %s12 = shl i64 %s11, 0
  %s13 = shl i64 %s12, 0
  %s14 = shl i64 %s13, 0
  %s15 = shl i64 %s14, 0
  %s16 = shl i64 %s15, 0
  %s17 = shl i64 %s16, 0
  %s18 = shl i64 %s17, 0
  %s19 = shl i64 %s18, 0
  %s20 = shl i64 %s19, 0
  %o1 = or disjoint i64 %i, 0
  %o2 = or disjoint i64 %o1, 0
  %o3 = or disjoint i64 %o2, 0
  %o4 = or disjoint i64 %o3, 0
  %o5 = or disjoint i64 %o4, 0
  %o6 = or disjoint i64 %o5, 0
  %o7 = or disjoint i64 %o6, 0
  %o8 = or disjoint i64 %o7, 0
  %o9 = or disjoint i64 %o8, 0
  %o10 = or disjoint i64 %o9, 0
  %o11 = or disjoint i64 %o10, 0
  %o12 = or disjoint i64 %o11, 0
  %o13 = or disjoint i64 %o12, 0
  %o14 = or disjoint i64 %o13, 0
  %o15 = or disjoint i64 %o14, 0
  %o16 = or disjoint i64 %o15, 0
  %o17 = or disjoint i64 %o16, 0
  %o18 = or disjoint i64 %o17, 0
  %o19 = or disjoint i64 %o18, 0
  %o20 = or disjoint i64 %o19, 0
  %z1 = trunc i64 %i to i32
  %z2 = zext i32 %z1 to i64
  %z3 = trunc i64 %z2 to i32
  %z4 = zext i32 %z3 to i64
  %z5 = trunc i64 %z4 to i32
  %z6 = zext i32 %z5 to i64
  %z7 = trunc i64 %z6 to i32
  %z8 = zext i32 %z7 to i64
  %z9 = trunc i64 %z8 to i32
  %z10 = zext i32 %z9 to i64
  %z11 = trunc i64 %z10 to i32
  %z12 = zext i32 %z11 to i64
  %z13 = trunc i64 %z12 to i32
  %z14 = zext i32 %z13 to i64
  %z15 = trunc i64 %z14 to i32
  %z16 = zext i32 %z15 to i64
  %z17 = trunc i64 %z16 to i32
  %z18 = zext i32 %z17 to i64
  %z19 = trunc i64 %z18 to i32
  %z20 = zext i32 %z19 to i64
  %v16 = getelementptr i8, ptr %out, i64 %f15
  %v17 = getelementptr i8, ptr %out, i64 %f16
  %q = getelementptr i8, ptr %p, i64 4
  store i64 %i, ptr %p
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, 9
  br i1 %more, label %loop, label %done
done:
  ret void
}
