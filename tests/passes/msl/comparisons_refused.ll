; What a comparison of vectors may not be: a value in memory that others see, an
; argument of the person's own function, a number; nor what is made of it. The
; condition of ?: is no vector, and any and all take none of numbers.
; RUN: comparisons
; CHECK-COUNT: 17 ; error: comparing vectors gives a bool2, which
; CHECK-COUNT: 1 ; error: the condition of ?: is a vector
; CHECK-COUNT: 3 ; error: any takes a vector of bools, and this is one of numbers
; CHECK-COUNT: 2 ; error: all takes a vector of bools, and this is one of numbers
; CHECK-COUNT: 23 error:
; CHECK: define void @k(
declare void @_ZN5metal3useEDv2_i(<2 x i32>)
declare void @_ZN5metal4takeERDv2_i(ptr)
declare i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32>)
declare i1 @_ZN5metal3allIDv2_iEEbT_(<2 x i32>)
declare i1 @_ZN5metal4noneIDv2_iEEbT_(<2 x i32>)
declare i1 @_ZN5metal3anyIiEEbT_(i32)
define void @k(ptr %out, <2 x i32> %a, <2 x i32> %b, i1 %f, i32 %i) !dbg !3 {
  %num = load <2 x i32>, ptr %out
  %c0 = icmp slt <2 x i32> %a, %b
  %s0 = sext <2 x i1> %c0 to <2 x i32>
  store <2 x i32> %s0, ptr %out, !dbg !20
  %c1 = icmp slt <2 x i32> %a, %b
  %s1 = sext <2 x i1> %c1 to <2 x i32>
  %m1 = alloca <2 x i32>
  store <2 x i32> %s1, ptr %m1, !dbg !21
  %c2 = icmp slt <2 x i32> %a, %b
  %s2 = sext <2 x i1> %c2 to <2 x i32>
  %m2 = alloca <2 x i32>
  store <2 x i32> %s2, ptr %m2, !dbg !22
  %r2 = load <2 x i32>, ptr %m2
  %c3 = icmp slt <2 x i32> %a, %b
  %s3 = sext <2 x i1> %c3 to <2 x i32>
  %m3 = alloca <2 x i32>
  store <2 x i32> %s3, ptr %m3, !dbg !23
  call void @_ZN5metal4takeERDv2_i(ptr %m3), !dbg !19
  %r3 = load <2 x i32>, ptr %m3
  %c4 = icmp slt <2 x i32> %a, %b
  %s4 = sext <2 x i1> %c4 to <2 x i32>
  call void @own(<2 x i32> %s4), !dbg !24
  %c5 = icmp slt <2 x i32> %a, %b
  %s5 = sext <2 x i1> %c5 to <2 x i32>
  %x5 = trunc <2 x i32> %s5 to <2 x i8>, !dbg !25
  %c6 = icmp slt <2 x i32> %a, %b
  %s6 = sext <2 x i1> %c6 to <2 x i32>
  %x6 = xor <2 x i32> %s6, <i32 -1, i32 -1>, !dbg !26
  call void @_ZN5metal3useEDv2_i(<2 x i32> %x6), !dbg !19
  %c7 = icmp slt <2 x i32> %a, %b
  %s7 = sext <2 x i1> %c7 to <2 x i32>
  %x7 = xor <2 x i32> <i32 -1, i32 -1>, %s7, !dbg !27
  call void @_ZN5metal3useEDv2_i(<2 x i32> %x7), !dbg !19
  %c8 = icmp slt <2 x i32> %a, %b
  %s8 = sext <2 x i1> %c8 to <2 x i32>
  %x8 = and <2 x i32> %s8, %num, !dbg !28
  call void @_ZN5metal3useEDv2_i(<2 x i32> %x8), !dbg !19
  %c9 = icmp slt <2 x i32> %a, %b
  %s9 = sext <2 x i1> %c9 to <2 x i32>
  %x9 = and <2 x i32> %num, %s9, !dbg !29
  call void @_ZN5metal3useEDv2_i(<2 x i32> %x9), !dbg !19
  %c10 = icmp slt <2 x i32> %a, %b
  %s10 = sext <2 x i1> %c10 to <2 x i32>
  %x10 = select i1 %f, <2 x i32> %s10, <2 x i32> %num
  %y10 = trunc <2 x i32> %x10 to <2 x i8>, !dbg !30
  %c11 = icmp slt <2 x i32> %a, %b
  %s11 = sext <2 x i1> %c11 to <2 x i32>
  %x11 = shufflevector <2 x i32> %s11, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %y11 = trunc <2 x i32> %x11 to <2 x i8>, !dbg !31
  %c12 = icmp slt <2 x i32> %a, %b
  %s12 = sext <2 x i1> %c12 to <2 x i32>
  %x12 = or <2 x i32> %s12, <i32 -1, i32 0>
  %y12 = trunc <2 x i32> %x12 to <2 x i8>, !dbg !32
  %c13 = icmp slt <2 x i32> %a, %b
  %s13 = sext <2 x i1> %c13 to <2 x i32>
  %n13 = select i1 %f, <2 x i32> %num, <2 x i32> %num
  %x13 = and <2 x i32> %s13, %n13, !dbg !33
  %c14 = icmp slt <2 x i32> %a, %b
  %s14 = sext <2 x i1> %c14 to <2 x i32>
  %n14 = and <2 x i32> %num, <i32 -1, i32 0>
  %x14 = and <2 x i32> %s14, %n14, !dbg !34
  %c15 = icmp slt <2 x i32> %a, %b
  %s15 = sext <2 x i1> %c15 to <2 x i32>
  %n15 = and <2 x i32> <i32 -1, i32 0>, %num
  %x15 = and <2 x i32> %s15, %n15, !dbg !35
  %c16 = icmp slt <2 x i32> %a, %b
  %s16 = sext <2 x i1> %c16 to <2 x i32>
  %n16 = shufflevector <2 x i32> %num, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
  %x16 = and <2 x i32> %s16, %n16, !dbg !36
  %v = icmp slt <2 x i32> %a, %b, !dbg !19
  %choice = select <2 x i1> %v, <2 x i32> %a, <2 x i32> %b, !dbg !60
  %any = call i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32> %num), !dbg !61
  %all = call i1 @_ZN5metal3allIDv2_iEEbT_(<2 x i32> %num), !dbg !62
  %some = call i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32> <i32 0, i32 1>), !dbg !63
  %other = call i1 @_ZN5metal3allIDv2_iEEbT_(<2 x i32> <i32 1, i32 -1>), !dbg !64
  %long = call i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32> %choice), !dbg !65
  %none = call i1 @_ZN5metal4noneIDv2_iEEbT_(<2 x i32> %num), !dbg !66
  %single = call i1 @_ZN5metal3anyIiEEbT_(i32 %i), !dbg !67
  %plain = select i1 %f, <2 x i32> %a, <2 x i32> %b, !dbg !68
  ret void
}
define internal void @own(<2 x i32> %v) !dbg !6 {
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
!6 = distinct !DISubprogram(name: "own", scope: !1, file: !1, line: 2, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!19 = !DILocation(line: 19, column: 1, scope: !3)
!20 = !DILocation(line: 20, column: 1, scope: !3)
!21 = !DILocation(line: 21, column: 1, scope: !3)
!22 = !DILocation(line: 22, column: 1, scope: !3)
!23 = !DILocation(line: 23, column: 1, scope: !3)
!24 = !DILocation(line: 24, column: 1, scope: !3)
!25 = !DILocation(line: 25, column: 1, scope: !3)
!26 = !DILocation(line: 26, column: 1, scope: !3)
!27 = !DILocation(line: 27, column: 1, scope: !3)
!28 = !DILocation(line: 28, column: 1, scope: !3)
!29 = !DILocation(line: 29, column: 1, scope: !3)
!30 = !DILocation(line: 30, column: 1, scope: !3)
!31 = !DILocation(line: 31, column: 1, scope: !3)
!32 = !DILocation(line: 32, column: 1, scope: !3)
!33 = !DILocation(line: 33, column: 1, scope: !3)
!34 = !DILocation(line: 34, column: 1, scope: !3)
!35 = !DILocation(line: 35, column: 1, scope: !3)
!36 = !DILocation(line: 36, column: 1, scope: !3)
!60 = !DILocation(line: 60, column: 1, scope: !3)
!61 = !DILocation(line: 61, column: 1, scope: !3)
!62 = !DILocation(line: 62, column: 1, scope: !3)
!63 = !DILocation(line: 63, column: 1, scope: !3)
!64 = !DILocation(line: 64, column: 1, scope: !3)
!65 = !DILocation(line: 65, column: 1, scope: !3)
!66 = !DILocation(line: 66, column: 1, scope: !3)
!67 = !DILocation(line: 67, column: 1, scope: !3)
!68 = !DILocation(line: 68, column: 1, scope: !3)
