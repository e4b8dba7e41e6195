/*
** ptx_parse.h - what the parser hands to the functions that decode instructions
** (op_*.c): the opcode in its parts, and the operands.
**
** A decoder takes every part that it knows; a part that was not taken makes the
** instruction unknown. So nothing of an instruction is skipped.
*/
#ifndef MT_CUDA_PTX_PARSE_H
#define MT_CUDA_PTX_PARSE_H

#include "tests/cuda/ptx.h"
#include "tests/cuda/ptx_lex.h"

#include <setjmp.h>

typedef enum OpndKind {
  O_REG,
  O_PRED,
  O_IMM,
  O_VEC,
  O_ADDR,
  O_VARIABLE,
  O_FUNCTION,
  O_NAME,
  O_SINK,
  O_LIST,
  O_DUAL,
  O_CLOCK
} OpndKind;

typedef struct Opnd Opnd;
struct Opnd {
  OpndKind kind;
  bool negated;
  int32_t index; /* register or predicate; O_CLOCK: which */
  Type type;     /* of a register */
  Token literal; /* of an immediate */
  bool decimal;
  uint64_t value;
  int64_t add; /* of an address or a variable */
  Variable *variable;
  Function *function;
  const char *name; /* a label; not terminated */
  uint32_t length;
  Opnd *list; /* O_VEC, O_LIST, O_DUAL; O_ADDR: its base */
  uint32_t count;
};

#define PARTS 16
#define OPERANDS 8

typedef struct Symbol {
  const char *name;
  uint32_t length;
  enum { S_REG, S_FAMILY, S_VARIABLE } kind;
  Type type;
  int32_t index; /* of the register, or of the family's first */
  uint32_t count;
  Variable *variable;
} Symbol;

typedef struct Label {
  const char *name;
  uint32_t length, scope, pc;
  Opnd *list; /* .branchtargets */
  uint32_t count;
} Label;

typedef struct Jump { /* a label that is not placed yet */
  const char *name;
  uint32_t length, scope, inst;
  int32_t slot; /* of targets; -1: the target */
  uint32_t line;
} Jump;

typedef struct Parse {
  Lex x;
  Module *m;
  Function *f;
  Symbol *symbols;
  uint32_t symbol_count, symbol_room;
  Label *labels;
  uint32_t label_count, label_room;
  Jump *jumps;
  uint32_t jump_count, jump_room;
  uint32_t *scopes; /* parent of each */
  uint32_t scope_count, scope_room, scope;
  uint64_t shared_end, dynamic_align;
  /* the instruction */
  Inst *i;
  char opcode[160];
  const char *part[PARTS];
  bool taken[PARTS];
  uint32_t parts;
  Opnd op[OPERANDS];
  uint32_t ops;
  uint32_t line;
  const char *line_start;
  char *why;
  size_t why_size;
  jmp_buf fail;
} Parse;

_Noreturn __attribute__((format(printf, 2, 3))) void parse_fail(
    Parse *p, const char *format, ...);
void *keep(Module *m, size_t size); /* zeroed */
char *keep_text(Module *m, const char *s, size_t n);

/* Parts of the opcode. */
bool take(Parse *p, const char *word);
bool peek_part(const Parse *p, const char *word);
Type take_type(Parse *p); /* fails where there is none */
Type take_type_or(Parse *p, Type otherwise);
Rounding take_rounding(Parse *p); /* R_NONE where there is none */

/* Operands, as indexes. The register must be as wide as 't'. */
unsigned type_size(Type t); /* in bytes; of a predicate 0 */
bool type_float(Type t);
bool type_signed(Type t);
void want_ops(Parse *p, uint32_t least, uint32_t most);
int32_t get(Parse *p, const Opnd *o, Type t);
int32_t get_loose(Parse *p, const Opnd *o, Type t); /* may be wider */
int32_t put(Parse *p, const Opnd *o, Type t);
int32_t put_loose(Parse *p, const Opnd *o, Type t);
int32_t predicate(Parse *p, const Opnd *o); /* not negated */
int32_t constant(Parse *p, uint64_t value);
/* The address operand: its register in s[slot] (or a constant), its offset in
** imm, whether it is of the frame. */
void address(Parse *p, const Opnd *o, int slot, Space space);
void jump_to(Parse *p, const Opnd *o, int32_t slot);

/* Decoders: true where the instruction is theirs. */
bool decode_integer(Parse *p);
bool decode_bits(Parse *p);
bool decode_float(Parse *p);
bool decode_half(Parse *p);
bool decode_pair(Parse *p);
bool decode_convert(Parse *p);
bool decode_compare(Parse *p);
bool decode_move(Parse *p);
bool decode_memory(Parse *p);
bool decode_atomic(Parse *p);
bool decode_control(Parse *p);
bool decode_barrier(Parse *p);
bool decode_lanes(Parse *p);
bool decode_matrix(Parse *p);
bool decode_copy(Parse *p);

/* ptx_data.c: variables, and their initial values. */
void parse_variable(Parse *p, Space space, bool external);
void measure_shared(Parse *p); /* where dynamic shared memory starts */

/* Shared by ptx_parse.c and ptx_data.c. */
void expect(Parse *p, char c);
bool at_punct(const Parse *p, char c);
void advance(Parse *p);
bool type_named(const char *s, uint32_t n, Type *t);
uint64_t align_up(uint64_t n, uint64_t to);
void add_symbol(Parse *p, const Symbol *s);

#define GROW(array, count, room)                          \
  ((count) < (room) ? (array)                             \
                    : ((room) = (room) ? (room) * 2 : 64, \
                       (array) = realloc((array), (room) * sizeof *(array))))

#endif
