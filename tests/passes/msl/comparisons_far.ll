; Twenty steps are followed, to where a value comes from and to what becomes of a
; comparison; where they go round in a loop they end.
; RUN: comparisons
; CHECK-COUNT: 5 ; error: comparing vectors gives a bool2, which
; CHECK-COUNT: 5 error:
; CHECK: define void @k(
declare void @_ZN5metal3useEDv2_i(<2 x i32>)
define void @k(ptr %out, <2 x i32> %a, <2 x i32> %b, i1 %f) !dbg !3 {
entry:
  %num = load <2 x i32>, ptr %out
  %al0 = and <2 x i32> %num, <i32 -1, i32 0>
  %al1 = and <2 x i32> %al0, <i32 -1, i32 0>
  %al2 = and <2 x i32> %al1, <i32 -1, i32 0>
  %al3 = and <2 x i32> %al2, <i32 -1, i32 0>
  %al4 = and <2 x i32> %al3, <i32 -1, i32 0>
  %al5 = and <2 x i32> %al4, <i32 -1, i32 0>
  %al6 = and <2 x i32> %al5, <i32 -1, i32 0>
  %al7 = and <2 x i32> %al6, <i32 -1, i32 0>
  %al8 = and <2 x i32> %al7, <i32 -1, i32 0>
  %al9 = and <2 x i32> %al8, <i32 -1, i32 0>
  %al10 = and <2 x i32> %al9, <i32 -1, i32 0>
  %al11 = and <2 x i32> %al10, <i32 -1, i32 0>
  %al12 = and <2 x i32> %al11, <i32 -1, i32 0>
  %al13 = and <2 x i32> %al12, <i32 -1, i32 0>
  %al14 = and <2 x i32> %al13, <i32 -1, i32 0>
  %al15 = and <2 x i32> %al14, <i32 -1, i32 0>
  %al16 = and <2 x i32> %al15, <i32 -1, i32 0>
  %al17 = and <2 x i32> %al16, <i32 -1, i32 0>
  %al18 = and <2 x i32> %al17, <i32 -1, i32 0>
  %al19 = and <2 x i32> %al18, <i32 -1, i32 0>
  %c0 = icmp slt <2 x i32> %a, %b
  %s0 = sext <2 x i1> %c0 to <2 x i32>
  %x0 = or <2 x i32> %s0, %al19, !dbg !20
  %ar0 = and <2 x i32> <i32 -1, i32 0>, %num
  %ar1 = and <2 x i32> <i32 -1, i32 0>, %ar0
  %ar2 = and <2 x i32> <i32 -1, i32 0>, %ar1
  %ar3 = and <2 x i32> <i32 -1, i32 0>, %ar2
  %ar4 = and <2 x i32> <i32 -1, i32 0>, %ar3
  %ar5 = and <2 x i32> <i32 -1, i32 0>, %ar4
  %ar6 = and <2 x i32> <i32 -1, i32 0>, %ar5
  %ar7 = and <2 x i32> <i32 -1, i32 0>, %ar6
  %ar8 = and <2 x i32> <i32 -1, i32 0>, %ar7
  %ar9 = and <2 x i32> <i32 -1, i32 0>, %ar8
  %ar10 = and <2 x i32> <i32 -1, i32 0>, %ar9
  %ar11 = and <2 x i32> <i32 -1, i32 0>, %ar10
  %ar12 = and <2 x i32> <i32 -1, i32 0>, %ar11
  %ar13 = and <2 x i32> <i32 -1, i32 0>, %ar12
  %ar14 = and <2 x i32> <i32 -1, i32 0>, %ar13
  %ar15 = and <2 x i32> <i32 -1, i32 0>, %ar14
  %ar16 = and <2 x i32> <i32 -1, i32 0>, %ar15
  %ar17 = and <2 x i32> <i32 -1, i32 0>, %ar16
  %ar18 = and <2 x i32> <i32 -1, i32 0>, %ar17
  %ar19 = and <2 x i32> <i32 -1, i32 0>, %ar18
  %c1 = icmp slt <2 x i32> %a, %b
  %s1 = sext <2 x i1> %c1 to <2 x i32>
  %x1 = or <2 x i32> %s1, %ar19, !dbg !21
  %se0 = select i1 %f, <2 x i32> %num, <2 x i32> zeroinitializer
  %se1 = select i1 %f, <2 x i32> %se0, <2 x i32> zeroinitializer
  %se2 = select i1 %f, <2 x i32> %se1, <2 x i32> zeroinitializer
  %se3 = select i1 %f, <2 x i32> %se2, <2 x i32> zeroinitializer
  %se4 = select i1 %f, <2 x i32> %se3, <2 x i32> zeroinitializer
  %se5 = select i1 %f, <2 x i32> %se4, <2 x i32> zeroinitializer
  %se6 = select i1 %f, <2 x i32> %se5, <2 x i32> zeroinitializer
  %se7 = select i1 %f, <2 x i32> %se6, <2 x i32> zeroinitializer
  %se8 = select i1 %f, <2 x i32> %se7, <2 x i32> zeroinitializer
  %se9 = select i1 %f, <2 x i32> %se8, <2 x i32> zeroinitializer
  %se10 = select i1 %f, <2 x i32> %se9, <2 x i32> zeroinitializer
  %se11 = select i1 %f, <2 x i32> %se10, <2 x i32> zeroinitializer
  %se12 = select i1 %f, <2 x i32> %se11, <2 x i32> zeroinitializer
  %se13 = select i1 %f, <2 x i32> %se12, <2 x i32> zeroinitializer
  %se14 = select i1 %f, <2 x i32> %se13, <2 x i32> zeroinitializer
  %se15 = select i1 %f, <2 x i32> %se14, <2 x i32> zeroinitializer
  %se16 = select i1 %f, <2 x i32> %se15, <2 x i32> zeroinitializer
  %se17 = select i1 %f, <2 x i32> %se16, <2 x i32> zeroinitializer
  %se18 = select i1 %f, <2 x i32> %se17, <2 x i32> zeroinitializer
  %se19 = select i1 %f, <2 x i32> %se18, <2 x i32> zeroinitializer
  %c2 = icmp slt <2 x i32> %a, %b
  %s2 = sext <2 x i1> %c2 to <2 x i32>
  %x2 = or <2 x i32> %s2, %se19, !dbg !22
  %sh0 = shufflevector <2 x i32> %num, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh1 = shufflevector <2 x i32> %sh0, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh2 = shufflevector <2 x i32> %sh1, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh3 = shufflevector <2 x i32> %sh2, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh4 = shufflevector <2 x i32> %sh3, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh5 = shufflevector <2 x i32> %sh4, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh6 = shufflevector <2 x i32> %sh5, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh7 = shufflevector <2 x i32> %sh6, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh8 = shufflevector <2 x i32> %sh7, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh9 = shufflevector <2 x i32> %sh8, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh10 = shufflevector <2 x i32> %sh9, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh11 = shufflevector <2 x i32> %sh10, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh12 = shufflevector <2 x i32> %sh11, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh13 = shufflevector <2 x i32> %sh12, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh14 = shufflevector <2 x i32> %sh13, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh15 = shufflevector <2 x i32> %sh14, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh16 = shufflevector <2 x i32> %sh15, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh17 = shufflevector <2 x i32> %sh16, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh18 = shufflevector <2 x i32> %sh17, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %sh19 = shufflevector <2 x i32> %sh18, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %c3 = icmp slt <2 x i32> %a, %b
  %s3 = sext <2 x i1> %c3 to <2 x i32>
  %x3 = or <2 x i32> %s3, %sh19, !dbg !23
  %c4 = icmp slt <2 x i32> %a, %b
  %s4 = sext <2 x i1> %c4 to <2 x i32>
  %us0 = select i1 %f, <2 x i32> %s4, <2 x i32> zeroinitializer
  %us1 = select i1 %f, <2 x i32> %us0, <2 x i32> zeroinitializer
  %us2 = select i1 %f, <2 x i32> %us1, <2 x i32> zeroinitializer
  %us3 = select i1 %f, <2 x i32> %us2, <2 x i32> zeroinitializer
  %us4 = select i1 %f, <2 x i32> %us3, <2 x i32> zeroinitializer
  %us5 = select i1 %f, <2 x i32> %us4, <2 x i32> zeroinitializer
  %us6 = select i1 %f, <2 x i32> %us5, <2 x i32> zeroinitializer
  %us7 = select i1 %f, <2 x i32> %us6, <2 x i32> zeroinitializer
  %us8 = select i1 %f, <2 x i32> %us7, <2 x i32> zeroinitializer
  %us9 = select i1 %f, <2 x i32> %us8, <2 x i32> zeroinitializer
  %us10 = select i1 %f, <2 x i32> %us9, <2 x i32> zeroinitializer
  %us11 = select i1 %f, <2 x i32> %us10, <2 x i32> zeroinitializer
  %us12 = select i1 %f, <2 x i32> %us11, <2 x i32> zeroinitializer
  %us13 = select i1 %f, <2 x i32> %us12, <2 x i32> zeroinitializer
  %us14 = select i1 %f, <2 x i32> %us13, <2 x i32> zeroinitializer
  %us15 = select i1 %f, <2 x i32> %us14, <2 x i32> zeroinitializer
  %us16 = select i1 %f, <2 x i32> %us15, <2 x i32> zeroinitializer
  %us17 = select i1 %f, <2 x i32> %us16, <2 x i32> zeroinitializer
  %us18 = select i1 %f, <2 x i32> %us17, <2 x i32> zeroinitializer
  %us19 = select i1 %f, <2 x i32> %us18, <2 x i32> zeroinitializer
  %y = trunc <2 x i32> %us19 to <2 x i8>, !dbg !24
  %c = icmp slt <2 x i32> %a, %b
  %s = sext <2 x i1> %c to <2 x i32>
  %d = icmp sgt <2 x i32> %a, %b
  %t = sext <2 x i1> %d to <2 x i32>
  br label %loop
loop:
  %p = phi <2 x i32> [ %q, %loop ], [ %s, %entry ]
  %q = and <2 x i32> %p, %t
  %both = or <2 x i32> %q, %t
  call void @_ZN5metal3useEDv2_i(<2 x i32> %both), !dbg !30
  br i1 %f, label %loop, label %done
done:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.metal", directory: "")
!2 = !DISubroutineType(types: !5)
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{}
!20 = !DILocation(line: 20, column: 1, scope: !3)
!21 = !DILocation(line: 21, column: 1, scope: !3)
!22 = !DILocation(line: 22, column: 1, scope: !3)
!23 = !DILocation(line: 23, column: 1, scope: !3)
!24 = !DILocation(line: 24, column: 1, scope: !3)
!30 = !DILocation(line: 30, column: 1, scope: !3)
