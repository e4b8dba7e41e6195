; A comparison may be combined with a single bool, which becomes a vector of 0
; and 1, and handed to our headers, which have no debug information.
; RUN: comparisons
; CHECK: define void @k(
; CHECK: zext <2 x i1>
; CHECK-NOT: sext <2 x i1>
; CHECK-NOT: error:
declare i1 @_ZN5metal4seenEDv2_i(<2 x i32>)
define void @k(ptr %out, <2 x i32> %a, <2 x i32> %b, i1 %flag) !dbg !3 {
  %c = icmp slt <2 x i32> %a, %b
  %s = sext <2 x i1> %c to <2 x i32>
  %z = zext i1 %flag to i32
  %i = insertelement <2 x i32> poison, i32 %z, i64 0
  %p = shufflevector <2 x i32> %i, <2 x i32> poison, <2 x i32> zeroinitializer
  %m = and <2 x i32> %s, %p
  %x = call i1 @_ZN5metal4seenEDv2_i(<2 x i32> %m)
  store i1 %x, ptr %out
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
