; What differs from way to way stays a phi: by the comparison, the size of an
; element, the type, the function, an operand, or beyond four instructions upon
; each other. Eight ways are looked at, not nine.
; RUN: equal-phis
; CHECK: define void @k(
; CHECK: join:
; CHECK-NEXT: %below = phi
; CHECK-NEXT: %element = phi
; CHECK-NEXT: %least = phi
; CHECK-NEXT: %last = phi
; CHECK-NEXT: %start = phi
; CHECK-NEXT: %divided = phi
; CHECK-NEXT: %deeper = phi
; CHECK-NEXT: add i32 %t, 1
; CHECK-NEXT: add i32
; CHECK-NEXT: add i32
; CHECK-NEXT: add i32
; CHECK-NEXT: call i32 @llvm.smin.i32(
; CHECK-NEXT: store
; RUN EIGHT: equal-phis --kernel eight
; EIGHT: define void @eight(
; EIGHT: join:
; EIGHT-NEXT: add i32 %t, 1
; RUN NINE: equal-phis --kernel nine
; NINE: define void @nine(
; NINE: %x = phi
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
define void @k(ptr %out, i32 %t, i32 %n, i1 %c) {
entry:
  br i1 %c, label %one, label %two
one:
  %below.1 = icmp ult i32 %t, %n
  %element.1 = getelementptr i8, ptr %out, i32 %t
  %least.1 = call i32 @llvm.smin.i32(i32 %t, i32 %n)
  %same.1 = call i32 @llvm.smin.i32(i32 %t, i32 %n)
  %last.1 = sub i32 %t, %n
  %start.1 = sub i32 %n, %t
  %divided.1 = udiv i32 %t, 3
  %d4.0.1 = add i32 %t, 1
  %d4.1.1 = add i32 %d4.0.1, 1
  %d4.2.1 = add i32 %d4.1.1, 1
  %d4.3.1 = add i32 %d4.2.1, 1
  %d5.0.1 = add i32 %t, 1
  %d5.1.1 = add i32 %d5.0.1, 1
  %d5.2.1 = add i32 %d5.1.1, 1
  %d5.3.1 = add i32 %d5.2.1, 1
  %d5.4.1 = add i32 %d5.3.1, 1
  br label %join
two:
  %below.2 = icmp ule i32 %t, %n
  %element.2 = getelementptr i32, ptr %out, i32 %t
  %least.2 = call i32 @llvm.smax.i32(i32 %t, i32 %n)
  %same.2 = call i32 @llvm.smin.i32(i32 %t, i32 %n)
  %last.2 = sub i32 %t, 8
  %start.2 = sub i32 8, %t
  %divided.2 = udiv i32 %t, 3
  %d4.0.2 = add i32 %t, 1
  %d4.1.2 = add i32 %d4.0.2, 1
  %d4.2.2 = add i32 %d4.1.2, 1
  %d4.3.2 = add i32 %d4.2.2, 1
  %d5.0.2 = add i32 %t, 1
  %d5.1.2 = add i32 %d5.0.2, 1
  %d5.2.2 = add i32 %d5.1.2, 1
  %d5.3.2 = add i32 %d5.2.2, 1
  %d5.4.2 = add i32 %d5.3.2, 1
  br label %join
join:
  %below = phi i1 [ %below.1, %one ], [ %below.2, %two ]
  %element = phi ptr [ %element.1, %one ], [ %element.2, %two ]
  %least = phi i32 [ %least.1, %one ], [ %least.2, %two ]
  %same = phi i32 [ %same.1, %one ], [ %same.2, %two ]
  %last = phi i32 [ %last.1, %one ], [ %last.2, %two ]
  %start = phi i32 [ %start.1, %one ], [ %start.2, %two ]
  %divided = phi i32 [ %divided.1, %one ], [ %divided.2, %two ]
  %deep = phi i32 [ %d4.3.1, %one ], [ %d4.3.2, %two ]
  %deeper = phi i32 [ %d5.4.1, %one ], [ %d5.4.2, %two ]
  store i1 %below, ptr %out
  store ptr %element, ptr %out
  store i32 %least, ptr %out
  store i32 %same, ptr %out
  store i32 %last, ptr %out
  store i32 %start, ptr %out
  store i32 %divided, ptr %out
  store i32 %deep, ptr %out
  store i32 %deeper, ptr %out
  ret void
}
define void @eight(ptr %out, i32 %t) {
entry:
  switch i32 %t, label %w7 [ i32 0, label %w0 i32 1, label %w1 i32 2, label %w2 i32 3, label %w3 i32 4, label %w4 i32 5, label %w5 i32 6, label %w6 ]
w0:
  %x0 = add i32 %t, 1
  br label %join
w1:
  %x1 = add i32 %t, 1
  br label %join
w2:
  %x2 = add i32 %t, 1
  br label %join
w3:
  %x3 = add i32 %t, 1
  br label %join
w4:
  %x4 = add i32 %t, 1
  br label %join
w5:
  %x5 = add i32 %t, 1
  br label %join
w6:
  %x6 = add i32 %t, 1
  br label %join
w7:
  %x7 = add i32 %t, 1
  br label %join
join:
  %x = phi i32 [ %x0, %w0 ], [ %x1, %w1 ], [ %x2, %w2 ], [ %x3, %w3 ], [ %x4, %w4 ], [ %x5, %w5 ], [ %x6, %w6 ], [ %x7, %w7 ]
  store i32 %x, ptr %out
  ret void
}
define void @nine(ptr %out, i32 %t) {
entry:
  switch i32 %t, label %w8 [ i32 0, label %w0 i32 1, label %w1 i32 2, label %w2 i32 3, label %w3 i32 4, label %w4 i32 5, label %w5 i32 6, label %w6 i32 7, label %w7 ]
w0:
  %x0 = add i32 %t, 1
  br label %join
w1:
  %x1 = add i32 %t, 1
  br label %join
w2:
  %x2 = add i32 %t, 1
  br label %join
w3:
  %x3 = add i32 %t, 1
  br label %join
w4:
  %x4 = add i32 %t, 1
  br label %join
w5:
  %x5 = add i32 %t, 1
  br label %join
w6:
  %x6 = add i32 %t, 1
  br label %join
w7:
  %x7 = add i32 %t, 1
  br label %join
w8:
  %x8 = add i32 %t, 1
  br label %join
join:
  %x = phi i32 [ %x0, %w0 ], [ %x1, %w1 ], [ %x2, %w2 ], [ %x3, %w3 ], [ %x4, %w4 ], [ %x5, %w5 ], [ %x6, %w6 ], [ %x7, %w7 ], [ %x8, %w8 ]
  store i32 %x, ptr %out
  ret void
}
