; Constants over a threadgroup variable become instructions: expressions of all
; kinds, vectors, arrays and structs part by part; what a phi has from one
; block twice is one value. Constants over other globals stay.
; RUN: threadgroup-uses
; CHECK: define void @k(ptr %out, i1 %c) {
; CHECK: entry:
; CHECK-NEXT: %0 = getelementptr inbounds [8 x float], ptr @tile, i64 0, i64 2
; CHECK-NEXT: %1 = ptrtoint ptr %0 to i64
; CHECK-NEXT: %2 = ptrtoint ptr @other to i64
; CHECK-NEXT: %3 = sub i64 %1, %2
; CHECK-NEXT: store i64 %3, ptr %out, align 4
; CHECK-NEXT: %4 = ptrtoint ptr @tile to i64
; CHECK-NEXT: %5 = xor i64 %4, 1
; CHECK-NEXT: %6 = trunc i64 %5 to i32
; CHECK-NEXT: store i32 %6, ptr %out, align 4
; CHECK-NEXT: %7 = ptrtoint ptr @tile to i64
; CHECK-NEXT: %8 = add i64 %7, 4
; CHECK-NEXT: %9 = inttoptr i64 %8 to ptr
; CHECK-NEXT: store ptr %9, ptr %out, align 8
; CHECK-NEXT: %10 = addrspacecast ptr @tile to ptr addrspace(1)
; CHECK-NEXT: store ptr addrspace(1) %10, ptr %out, align 8
; CHECK-NEXT: %11 = insertelement <2 x ptr> <ptr @plain, ptr poison>, ptr @tile, i32 1
; CHECK-NEXT: store <2 x ptr> %11, ptr %out, align 16
; CHECK-NEXT: %12 = getelementptr inbounds [8 x float], ptr @tile, i64 1
; CHECK-NEXT: %13 = insertvalue [3 x ptr] poison, ptr @tile, 0
; CHECK-NEXT: %14 = insertvalue [3 x ptr] %13, ptr @other, 1
; CHECK-NEXT: %15 = insertvalue [3 x ptr] %14, ptr %12, 2
; CHECK-NEXT: store [3 x ptr] %15, ptr %out, align 8
; CHECK-NEXT: %16 = insertvalue { i32, ptr } { i32 7, ptr poison }, ptr @tile, 1
; CHECK-NEXT: store { i32, ptr } %16, ptr %out, align 8
; CHECK-NEXT: store ptr getelementptr ([8 x float], ptr @plain, i64 1), ptr %out, align 8
; CHECK-NEXT: br i1 %c, label %a, label %b
; CHECK: a:
; CHECK-NEXT: %17 = getelementptr inbounds [8 x float], ptr @tile, i64 0, i64 5
; CHECK-NEXT: switch i32 0, label %b [
; CHECK-NEXT: i32 1, label %end
; CHECK-NEXT: i32 2, label %end
; CHECK-NEXT: ]
; CHECK: b:
; CHECK-NEXT: %18 = getelementptr inbounds [8 x float], ptr @tile, i64 0, i64 6
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: %p = phi ptr [ %17, %a ], [ %17, %a ], [ %18, %b ]
; CHECK-NEXT: store float 1.000000e+00, ptr %p, align 4
; CHECK-NEXT: ret void
@tile = internal global [8 x float] undef, section ".msl.threadgroup"
@other = internal global [8 x float] undef, section ".msl.threadgroup"
@plain = internal global [8 x float] undef
define void @k(ptr %out, i1 %c) {
entry:
  store i64 sub (i64 ptrtoint (ptr getelementptr ([8 x float], ptr @tile, i64 0, i64 2) to i64), i64 ptrtoint (ptr @other to i64)), ptr %out
  store i32 trunc (i64 xor (i64 ptrtoint (ptr @tile to i64), i64 1) to i32), ptr %out
  store ptr inttoptr (i64 add (i64 ptrtoint (ptr @tile to i64), i64 4) to ptr), ptr %out
  store ptr addrspace(1) addrspacecast (ptr @tile to ptr addrspace(1)), ptr %out
  store <2 x ptr> <ptr @plain, ptr @tile>, ptr %out
  store [3 x ptr] [ptr @tile, ptr @other, ptr getelementptr ([8 x float], ptr @tile, i64 1)], ptr %out
  store { i32, ptr } { i32 7, ptr @tile }, ptr %out
  store ptr getelementptr ([8 x float], ptr @plain, i64 1), ptr %out
  br i1 %c, label %a, label %b
a:
  switch i32 0, label %b [ i32 1, label %end
                           i32 2, label %end ]
b:
  br label %end
end:
  %p = phi ptr [ getelementptr ([8 x float], ptr @tile, i64 0, i64 5), %a ], [ getelementptr ([8 x float], ptr @tile, i64 0, i64 5), %a ], [ getelementptr ([8 x float], ptr @tile, i64 0, i64 6), %b ]
  store float 1.0, ptr %p
  ret void
}
