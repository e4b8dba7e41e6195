; What an expression promises on one way only, it does not promise where it is
; computed for all ways: neither that nothing wraps, is lost, negative or shared,
; nor that a number is none of those that fast math leaves out. What all ways
; promise stays.
; RUN: equal-phis
; RUN THREE: equal-phis --kernel three
; THREE: define void @three(
; THREE: join:
; THREE-NEXT: add nuw i32 %t, 1
; THREE-NEXT: select nsz i1 true, float %x, float %y
; RUN AGAIN: equal-phis --kernel again
; AGAIN: define void @again(
; AGAIN: last:
; AGAIN-NEXT: add i32 %t, 1
; AGAIN-NEXT: mul i32 %0, 3
; CHECK: define void @k(
; CHECK: join:
; CHECK-NEXT: select i1 %c, i32 %t, i32 %n
; CHECK-NEXT: select nnan nsz i1 %c, float %y, float %x
; CHECK-NEXT: select i1 %c, float %x, float %y
; CHECK-NEXT: getelementptr inbounds i8, ptr %out, i32 %n
; CHECK-NEXT: getelementptr i8, ptr %out, i32 %t
; CHECK-NEXT: icmp samesign ult i32 %t, 12
; CHECK-NEXT: icmp ult i32 %t, 11
; CHECK-NEXT: or disjoint i32 %t, 10
; CHECK-NEXT: or i32 %t, 9
; CHECK-NEXT: zext nneg i32 %n to i64
; CHECK-NEXT: zext i32 %t to i64
; CHECK-NEXT: ashr i32 %t, 8
; CHECK-NEXT: lshr exact i32 %t, 7
; CHECK-NEXT: lshr i32 %t, 6
; CHECK-NEXT: trunc i32 %t to i8
; CHECK-NEXT: mul i32 %t, 5
; CHECK-NEXT: sub i32 %t, 4
; CHECK-NEXT: add nsw i32 %t, 3
; CHECK-NEXT: add nuw i32 %t, 2
; CHECK-NEXT: add i32 %t, 1
; CHECK-NEXT: store
define void @k(ptr %out, i32 %t, i32 %n, i1 %c, float %x, float %y) {
entry:
  br i1 %c, label %one, label %two
one:
  %add.1 = add nuw nsw i32 %t, 1
  %nuw.1 = add nuw nsw i32 %t, 2
  %nsw.1 = add nsw i32 %t, 3
  %sub.1 = sub nsw i32 %t, 4
  %mul.1 = mul nuw nsw i32 %t, 5
  %trunc.1 = trunc nuw nsw i32 %t to i8
  %lshr.1 = lshr exact i32 %t, 6
  %exact.1 = lshr exact i32 %t, 7
  %ashr.1 = ashr exact i32 %t, 8
  %zext.1 = zext nneg i32 %t to i64
  %nneg.1 = zext nneg i32 %n to i64
  %or.1 = or disjoint i32 %t, 9
  %disjoint.1 = or disjoint i32 %t, 10
  %icmp.1 = icmp samesign ult i32 %t, 11
  %samesign.1 = icmp samesign ult i32 %t, 12
  %gep.1 = getelementptr inbounds i8, ptr %out, i32 %t
  %inbounds.1 = getelementptr inbounds i8, ptr %out, i32 %n
  %fast.1 = select fast i1 %c, float %x, float %y
  %some.1 = select nnan nsz ninf i1 %c, float %y, float %x
  %select.1 = select i1 %c, i32 %t, i32 %n
  br label %join
two:
  %add.2 = add i32 %t, 1
  %nuw.2 = add nuw i32 %t, 2
  %nsw.2 = add nuw nsw i32 %t, 3
  %sub.2 = sub nuw i32 %t, 4
  %mul.2 = mul i32 %t, 5
  %trunc.2 = trunc i32 %t to i8
  %lshr.2 = lshr i32 %t, 6
  %exact.2 = lshr exact i32 %t, 7
  %ashr.2 = ashr i32 %t, 8
  %zext.2 = zext i32 %t to i64
  %nneg.2 = zext nneg i32 %n to i64
  %or.2 = or i32 %t, 9
  %disjoint.2 = or disjoint i32 %t, 10
  %icmp.2 = icmp ult i32 %t, 11
  %samesign.2 = icmp samesign ult i32 %t, 12
  %gep.2 = getelementptr i8, ptr %out, i32 %t
  %inbounds.2 = getelementptr inbounds i8, ptr %out, i32 %n
  %fast.2 = select i1 %c, float %x, float %y
  %some.2 = select nnan nsz arcp i1 %c, float %y, float %x
  %select.2 = select i1 %c, i32 %t, i32 %n
  br label %join
join:
  %add = phi i32 [ %add.1, %one ], [ %add.2, %two ]
  %nuw = phi i32 [ %nuw.1, %one ], [ %nuw.2, %two ]
  %nsw = phi i32 [ %nsw.1, %one ], [ %nsw.2, %two ]
  %sub = phi i32 [ %sub.1, %one ], [ %sub.2, %two ]
  %mul = phi i32 [ %mul.1, %one ], [ %mul.2, %two ]
  %trunc = phi i8 [ %trunc.1, %one ], [ %trunc.2, %two ]
  %lshr = phi i32 [ %lshr.1, %one ], [ %lshr.2, %two ]
  %exact = phi i32 [ %exact.1, %one ], [ %exact.2, %two ]
  %ashr = phi i32 [ %ashr.1, %one ], [ %ashr.2, %two ]
  %zext = phi i64 [ %zext.1, %one ], [ %zext.2, %two ]
  %nneg = phi i64 [ %nneg.1, %one ], [ %nneg.2, %two ]
  %or = phi i32 [ %or.1, %one ], [ %or.2, %two ]
  %disjoint = phi i32 [ %disjoint.1, %one ], [ %disjoint.2, %two ]
  %icmp = phi i1 [ %icmp.1, %one ], [ %icmp.2, %two ]
  %samesign = phi i1 [ %samesign.1, %one ], [ %samesign.2, %two ]
  %gep = phi ptr [ %gep.1, %one ], [ %gep.2, %two ]
  %inbounds = phi ptr [ %inbounds.1, %one ], [ %inbounds.2, %two ]
  %fast = phi float [ %fast.1, %one ], [ %fast.2, %two ]
  %some = phi float [ %some.1, %one ], [ %some.2, %two ]
  %select = phi i32 [ %select.1, %one ], [ %select.2, %two ]
  store i32 %add, ptr %out
  store i32 %nuw, ptr %out
  store i32 %nsw, ptr %out
  store i32 %sub, ptr %out
  store i32 %mul, ptr %out
  store i8 %trunc, ptr %out
  store i32 %lshr, ptr %out
  store i32 %exact, ptr %out
  store i32 %ashr, ptr %out
  store i64 %zext, ptr %out
  store i64 %nneg, ptr %out
  store i32 %or, ptr %out
  store i32 %disjoint, ptr %out
  store i1 %icmp, ptr %out
  store i1 %samesign, ptr %out
  store ptr %gep, ptr %out
  store ptr %inbounds, ptr %out
  store float %fast, ptr %out
  store float %some, ptr %out
  store i32 %select, ptr %out
  ret void
}
define void @three(ptr %out, i32 %t, float %x, float %y) {
entry:
  switch i32 %t, label %one [ i32 1, label %two
                              i32 2, label %three ]
one:
  %a.1 = add nuw nsw i32 %t, 1
  %s.1 = select nsz arcp i1 true, float %x, float %y
  br label %join
two:
  %a.2 = add nuw nsw i32 %t, 1
  %s.2 = select nsz arcp i1 true, float %x, float %y
  br label %join
three:
  %a.3 = add nuw i32 %t, 1
  %s.3 = select nsz nnan i1 true, float %x, float %y
  br label %join
join:
  %s = phi float [ %s.1, %one ], [ %s.2, %two ], [ %s.3, %three ]
  %a = phi i32 [ %a.1, %one ], [ %a.2, %two ], [ %a.3, %three ]
  store float %s, ptr %out
  store i32 %a, ptr %out
  ret void
}
define void @again(ptr %out, i32 %t, i1 %c) {
entry:
  br i1 %c, label %one, label %two
last:
  %m = phi i32 [ %m.3, %three ], [ %m.4, %four ]
  store i32 %m, ptr %out
  ret void
one:
  %a.1 = add i32 %t, 1
  br label %join
two:
  %a.2 = add i32 %t, 1
  br label %join
join:
  %a = phi i32 [ %a.1, %one ], [ %a.2, %two ]
  %b = phi i32 [ %a.2, %two ], [ %a.1, %one ]
  br i1 %c, label %three, label %four
three:
  %m.3 = mul i32 %a, 3
  br label %last
four:
  %m.4 = mul i32 %b, 3
  br label %last
}
