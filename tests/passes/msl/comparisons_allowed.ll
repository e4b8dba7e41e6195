; What a comparison of vectors may be handed to: functions of our headers, by value
; or through memory that only they see; other operators of masks, selections,
; joins and shuffles, of which the same holds; comparisons of its own, and one
; component.
; RUN: comparisons
; CHECK: define void @k(
; CHECK: zext <2 x i1>
; CHECK-NOT: sext <2 x i1>
; CHECK-NOT: error:
declare void @_ZN5metal3useEDv2_i(<2 x i32>)
declare void @_ZN5metal4takeERDv2_i(ptr)
declare i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32>)
declare i1 @_ZN5metal3allIDv2_iEEbT_(<2 x i32>)
define void @k(ptr %out, <2 x i32> %a, <2 x i32> %b, i1 %f, i32 %n, <4 x i32> %w) !dbg !3 {
entry:
  %mem = alloca <2 x i32>
  %c = icmp slt <2 x i32> %a, %b
  %s = sext <2 x i1> %c to <2 x i32>
  call void @_ZN5metal3useEDv2_i(<2 x i32> %s), !dbg !11
  store <2 x i32> %s, ptr %mem, !dbg !12
  call void @_ZN5metal4takeERDv2_i(ptr %mem), !dbg !13
  %d = icmp sgt <2 x i32> %a, %b
  %t = sext <2 x i1> %d to <2 x i32>
  %and = and <2 x i32> %s, %t, !dbg !14
  call void @_ZN5metal3useEDv2_i(<2 x i32> %and), !dbg !14
  %or = or <2 x i32> %t, %s, !dbg !15
  call void @_ZN5metal3useEDv2_i(<2 x i32> %or), !dbg !15
  %xor = xor <2 x i32> %s, %and, !dbg !16
  call void @_ZN5metal3useEDv2_i(<2 x i32> %xor), !dbg !16
  %ones = and <2 x i32> %s, <i32 -1, i32 0>, !dbg !17
  call void @_ZN5metal3useEDv2_i(<2 x i32> %ones), !dbg !17
  %sel = select i1 %f, <2 x i32> %s, <2 x i32> %t, !dbg !18
  call void @_ZN5metal3useEDv2_i(<2 x i32> %sel), !dbg !18
  %both = and <2 x i32> %sel, %s, !dbg !19
  call void @_ZN5metal3useEDv2_i(<2 x i32> %both), !dbg !19
  %turned = shufflevector <2 x i32> %s, <2 x i32> poison, <2 x i32> <i32 1, i32 0>, !dbg !20
  call void @_ZN5metal3useEDv2_i(<2 x i32> %turned), !dbg !20
  %with = or <2 x i32> %t, %turned, !dbg !21
  call void @_ZN5metal3useEDv2_i(<2 x i32> %with), !dbg !21
  %zero = icmp ne <2 x i32> %s, zeroinitializer, !dbg !22
  %bits = bitcast <2 x i1> %zero to i2
  store i2 %bits, ptr %out
  %one = extractelement <2 x i32> %s, i32 1, !dbg !23
  store i32 %one, ptr %out
  %any = call i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32> %and), !dbg !24
  %all = call i1 @_ZN5metal3allIDv2_iEEbT_(<2 x i32> %s), !dbg !25
  %some = call i1 @_ZN5metal3anyIDv2_iEEbT_(<2 x i32> <i32 0, i32 -1>), !dbg !26
  %z = zext i1 %f to i32
  %flag = insertelement <2 x i32> <i32 1, i32 0>, i32 %z, i64 0
  %flagged = or <2 x i32> %flag, %s, !dbg !27
  call void @_ZN5metal3useEDv2_i(<2 x i32> %flagged), !dbg !27
  br i1 %f, label %one.way, label %join
one.way:
  br label %join
join:
  %phi = phi <2 x i32> [ %s, %entry ], [ %t, %one.way ], !dbg !28
  call void @_ZN5metal3useEDv2_i(<2 x i32> %phi), !dbg !28
  %joined = and <2 x i32> %t, %phi, !dbg !29
  call void @_ZN5metal3useEDv2_i(<2 x i32> %joined), !dbg !29
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
!11 = !DILocation(line: 1, column: 1, scope: !3)
!12 = !DILocation(line: 2, column: 1, scope: !3)
!13 = !DILocation(line: 3, column: 1, scope: !3)
!14 = !DILocation(line: 4, column: 1, scope: !3)
!15 = !DILocation(line: 5, column: 1, scope: !3)
!16 = !DILocation(line: 6, column: 1, scope: !3)
!17 = !DILocation(line: 7, column: 1, scope: !3)
!18 = !DILocation(line: 8, column: 1, scope: !3)
!19 = !DILocation(line: 9, column: 1, scope: !3)
!20 = !DILocation(line: 10, column: 1, scope: !3)
!21 = !DILocation(line: 11, column: 1, scope: !3)
!22 = !DILocation(line: 12, column: 1, scope: !3)
!23 = !DILocation(line: 13, column: 1, scope: !3)
!24 = !DILocation(line: 14, column: 1, scope: !3)
!25 = !DILocation(line: 15, column: 1, scope: !3)
!26 = !DILocation(line: 16, column: 1, scope: !3)
!27 = !DILocation(line: 17, column: 1, scope: !3)
!28 = !DILocation(line: 18, column: 1, scope: !3)
!29 = !DILocation(line: 19, column: 1, scope: !3)
