; An instruction that came from an included file has the line of the call in the
; kernel's own.
; RUN: debug-lines --file k.metal
; CHECK: %x = load float, ptr %p, align 4, !dbg !4
; CHECK-NEXT: store float %x, ptr %p, align 4, !dbg !4
; CHECK-NOT: inlinedAt
define void @k(ptr %p) !dbg !4 {
  %x = load float, ptr %p, !dbg !7
  store float %x, ptr %p, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.metal", directory: "/")
!2 = !DIFile(filename: "inner.h", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0)
!5 = distinct !DISubprogram(name: "f", file: !2, line: 40, unit: !0)
!6 = !DILocation(line: 3, scope: !4)
!7 = !DILocation(line: 41, scope: !5, inlinedAt: !6)
