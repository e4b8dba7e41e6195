; How large the code would be: a triangle's inner loop counts with half of the
; iterations of the outer one, and a loop in no other with all of its own. An
; array for which it would be too large stays in memory.
; RUN SMALL: arrays-to-registers --kernel small
; SMALL: define void @small(
; SMALL-NEXT: entry
; SMALL-NEXT: load i32, ptr %in
; RUN LARGE: arrays-to-registers --kernel large
; LARGE: define void @large(
; LARGE-NEXT: entry
; LARGE-NEXT: alloca [8 x i32]
; RUN SHORT: arrays-to-registers --kernel short
; SHORT: define void @short(
; SHORT-NEXT: entry
; SHORT-NEXT: load i32, ptr %in
; RUN LONG: arrays-to-registers --kernel long
; LONG: define void @long(
; LONG-NEXT: entry
; LONG-NEXT: alloca [32 x i32]
define void @small(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %next ]
  br label %inner
inner:
  %s = phi i32 [ 0, %outer ], [ %s.next, %inner ]
  %v = load i32, ptr %in
  %m0 = mul i32 %v, 3
  %m1 = mul i32 %m0, 5
  %m2 = mul i32 %m1, 7
  %m3 = mul i32 %m2, 9
  %m4 = mul i32 %m3, 11
  %m5 = mul i32 %m4, 13
  %m6 = mul i32 %m5, 15
  %m7 = mul i32 %m6, 17
  %m8 = mul i32 %m7, 19
  %m9 = mul i32 %m8, 21
  %m10 = mul i32 %m9, 23
  %m11 = mul i32 %m10, 25
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %s
  store volatile i32 %m11, ptr %out
  store i32 %m11, ptr %p
  %s.next = add i32 %s, 1
  %again = icmp ule i32 %s.next, %r
  br i1 %again, label %inner, label %next
next:
  %r.next = add i32 %r, 1
  %more = icmp ult i32 %r.next, 8
  br i1 %more, label %outer, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 5
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @large(ptr %in, ptr %out) {
entry:
  %a = alloca [8 x i32]
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r.next, %next ]
  br label %inner
inner:
  %s = phi i32 [ 0, %outer ], [ %s.next, %inner ]
  %v = load i32, ptr %in
  %m0 = mul i32 %v, 3
  %m1 = mul i32 %m0, 5
  %m2 = mul i32 %m1, 7
  %m3 = mul i32 %m2, 9
  %m4 = mul i32 %m3, 11
  %m5 = mul i32 %m4, 13
  %m6 = mul i32 %m5, 15
  %m7 = mul i32 %m6, 17
  %m8 = mul i32 %m7, 19
  %m9 = mul i32 %m8, 21
  %m10 = mul i32 %m9, 23
  %m11 = mul i32 %m10, 25
  %m12 = mul i32 %m11, 27
  %m13 = mul i32 %m12, 29
  %m14 = mul i32 %m13, 31
  %m15 = mul i32 %m14, 33
  %m16 = mul i32 %m15, 35
  %m17 = mul i32 %m16, 37
  %m18 = mul i32 %m17, 39
  %m19 = mul i32 %m18, 41
  %m20 = mul i32 %m19, 43
  %m21 = mul i32 %m20, 45
  %m22 = mul i32 %m21, 47
  %m23 = mul i32 %m22, 49
  %m24 = mul i32 %m23, 51
  %m25 = mul i32 %m24, 53
  %m26 = mul i32 %m25, 55
  %m27 = mul i32 %m26, 57
  %m28 = mul i32 %m27, 59
  %m29 = mul i32 %m28, 61
  %m30 = mul i32 %m29, 63
  %m31 = mul i32 %m30, 65
  %m32 = mul i32 %m31, 67
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %s
  store volatile i32 %m32, ptr %out
  store i32 %m32, ptr %p
  %s.next = add i32 %s, 1
  %again = icmp ule i32 %s.next, %r
  br i1 %again, label %inner, label %next
next:
  %r.next = add i32 %r, 1
  %more = icmp ult i32 %r.next, 8
  br i1 %more, label %outer, label %done
done:
  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 5
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @short(ptr %in, ptr %out) {
entry:
  %a = alloca [32 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr %in
  %m0 = mul i32 %v, 3
  %m1 = mul i32 %m0, 5
  %m2 = mul i32 %m1, 7
  %m3 = mul i32 %m2, 9
  %m4 = mul i32 %m3, 11
  %m5 = mul i32 %m4, 13
  %m6 = mul i32 %m5, 15
  %m7 = mul i32 %m6, 17
  %m8 = mul i32 %m7, 19
  %m9 = mul i32 %m8, 21
  %m10 = mul i32 %m9, 23
  %m11 = mul i32 %m10, 25
  %m12 = mul i32 %m11, 27
  %m13 = mul i32 %m12, 29
  %m14 = mul i32 %m13, 31
  %m15 = mul i32 %m14, 33
  %m16 = mul i32 %m15, 35
  %m17 = mul i32 %m16, 37
  %m18 = mul i32 %m17, 39
  %m19 = mul i32 %m18, 41
  %p = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  store volatile i32 %m19, ptr %out
  store i32 %m19, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 32
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr [32 x i32], ptr %a, i32 0, i32 5
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
define void @long(ptr %in, ptr %out) {
entry:
  %a = alloca [32 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %v = load i32, ptr %in
  %m0 = mul i32 %v, 3
  %m1 = mul i32 %m0, 5
  %m2 = mul i32 %m1, 7
  %m3 = mul i32 %m2, 9
  %m4 = mul i32 %m3, 11
  %m5 = mul i32 %m4, 13
  %m6 = mul i32 %m5, 15
  %m7 = mul i32 %m6, 17
  %m8 = mul i32 %m7, 19
  %m9 = mul i32 %m8, 21
  %m10 = mul i32 %m9, 23
  %m11 = mul i32 %m10, 25
  %m12 = mul i32 %m11, 27
  %m13 = mul i32 %m12, 29
  %m14 = mul i32 %m13, 31
  %m15 = mul i32 %m14, 33
  %m16 = mul i32 %m15, 35
  %m17 = mul i32 %m16, 37
  %m18 = mul i32 %m17, 39
  %m19 = mul i32 %m18, 41
  %m20 = mul i32 %m19, 43
  %m21 = mul i32 %m20, 45
  %m22 = mul i32 %m21, 47
  %m23 = mul i32 %m22, 49
  %m24 = mul i32 %m23, 51
  %m25 = mul i32 %m24, 53
  %m26 = mul i32 %m25, 55
  %m27 = mul i32 %m26, 57
  %m28 = mul i32 %m27, 59
  %m29 = mul i32 %m28, 61
  %m30 = mul i32 %m29, 63
  %m31 = mul i32 %m30, 65
  %m32 = mul i32 %m31, 67
  %m33 = mul i32 %m32, 69
  %m34 = mul i32 %m33, 71
  %m35 = mul i32 %m34, 73
  %m36 = mul i32 %m35, 75
  %m37 = mul i32 %m36, 77
  %m38 = mul i32 %m37, 79
  %m39 = mul i32 %m38, 81
  %p = getelementptr [32 x i32], ptr %a, i32 0, i32 %i
  store volatile i32 %m39, ptr %out
  store i32 %m39, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 32
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr [32 x i32], ptr %a, i32 0, i32 5
  %y = load i32, ptr %q
  store i32 %y, ptr %out
  ret void
}
