/*
** sections.h - the sections that give a global its meaning (docs/ir.md).
*/
#ifndef MT_COMPILER_IR_SECTIONS_H
#define MT_COMPILER_IR_SECTIONS_H

#define MT_SECTION_THREADGROUP ".msl.threadgroup"
#define MT_SECTION_CONSTANT ".msl.constant."
#define MT_SECTION_DEFINED ".msl.defined."

#endif
