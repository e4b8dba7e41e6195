/*
** sections.h - sections of globals that docs/ir.md gives meaning to.
*/
#ifndef MT_COMPILER_IR_SECTIONS_H
#define MT_COMPILER_IR_SECTIONS_H

#define MT_SECTION_THREADGROUP ".msl.threadgroup"
#define MT_SECTION_CONSTANT ".msl.constant."
#define MT_SECTION_DEFINED ".msl.defined."

#endif
