/*
** reader_parts.h - what the reader's files share; for msl/reader*.c alone.
*/
#ifndef MT_READER_PARTS_H
#define MT_READER_PARTS_H

#include "msl/reader.h"

#define NAME_BUCKETS 1024

typedef enum Scope { SCOPE_SPACE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_LIST } Scope;

/* A name that is a type between two tokens. */
typedef struct TypeName {
  struct TypeName *next;
  const char *text;
  uint32_t length, from, to;
} TypeName;

/* An open brace. */
typedef struct Level {
  Scope scope;
  uint32_t open;       /* its token */
  uint32_t start;      /* of the declaration around it */
  uint32_t class_name; /* token of the class's name; 0 = none */
  uint32_t parens;     /* open parentheses around it */
  bool kernel;         /* the body of a kernel */
  bool dependent;      /* inside a template */
} Level;

typedef struct Twin { /* a function seen, by what is left without spaces */
  struct Twin *next;
  const char *key;    /* without address spaces */
  const char *spaces; /* and these */
  bool body;
  uint32_t start, brace;  /* of a function with a body: where it begins, its '{' */
  struct Twin *same;      /* an earlier one with the same body, which serves; or NULL */
  bool done;
} Twin;

typedef struct Builtin { /* uint2 gid [[thread_position_in_grid]]; of the program */
  const char *type, *name;
  const char *path; /* with its namespaces */
  const char *attribute;
  uint32_t at;
} Builtin;

typedef struct Alias { /* typedef threadgroup float name; */
  struct Alias *next;
  const char *name, *space;
  uint32_t at; /* where it is declared */
} Alias;

typedef struct BoolAlias { /* template <class U> using name = vec<U, 8>; */
  struct BoolAlias *next;
  const char *name;
} BoolAlias;

typedef struct BoolFunction { /* a template that deduces T of vec<T, N> */
  struct BoolFunction *next;
  uint32_t start, brace; /* where it begins, its '{' */
  bool member;
} BoolFunction;

typedef struct Reader {
  mt_Lex *lex;
  mt_Reading *out;
  TypeName *types[NAME_BUCKETS];
  TypeName *vectors[NAME_BUCKETS]; /* variables; 'from' is 1 for pointers and arrays */
  Twin *twins[NAME_BUCKETS];
  Level *levels;
  uint32_t depth, level_room;
  uint32_t functions;   /* how many of 'levels' are functions */
  uint32_t start;       /* first token of the declaration being read */
  uint32_t body_start, body_end; /* of the last body of a class: its declaration's first token; behind its '}' */
  uint32_t parens;      /* open parentheses since the last brace */
  uint32_t problem_room;
  Builtin *builtins;
  uint32_t builtin_count, builtin_room;
  Alias *aliases;
  bool bools; /* there may be vectors of bool */
  BoolAlias *bool_aliases;
  BoolFunction *bool_functions;
  bool spaces; /* address spaces stay */
  bool failed; /* no memory */
} Reader;

/* reader.c */
void mt_read_problem(Reader *r, uint32_t token, const char *help,
                     const char *fmt, ...) MT_PRINTF(4, 5);
void mt_read_warn_last(Reader *r); /* the problem just noted is a warning */
bool mt_read_is_type(const Reader *r, uint32_t i);
void mt_read_add_vector(Reader *r, uint32_t name, bool many);
bool mt_read_is_vector(const Reader *r, uint32_t i, bool many);
void mt_read_add_type(Reader *r, uint32_t name, uint32_t from, uint32_t to);
uint32_t mt_read_angle(const mt_Lex *lex, uint32_t open); /* its '>', or 0 */
bool mt_read_attribute_at(const mt_Lex *lex, uint32_t i, uint32_t *end);
bool mt_read_is_space(const mt_Lex *lex, uint32_t i); /* address space word */
uint32_t mt_read_skip_template(const mt_Lex *lex, uint32_t i);
bool mt_read_in_function(const Reader *r);

/* reader_types.c: constructors, casts, literals */
bool mt_read_vector_name(const mt_Lex *lex, uint32_t i);
void mt_read_collect_types(Reader *r);
void mt_read_number(Reader *r, uint32_t i);
void mt_read_type_use(Reader *r, uint32_t i);
void mt_read_static_cast(Reader *r, uint32_t i);
void mt_read_list(Reader *r, uint32_t brace);
void mt_read_typename(Reader *r, uint32_t i);
bool mt_read_same_word(const mt_Lex *lex, uint32_t i, uint32_t k);
/* Is 'name' a parameter of the template<…> at 'start', the last of several? */
bool mt_read_own_parameter(const mt_Lex *lex, uint32_t start, uint32_t name);

/* reader_step.c: ++ and -- on vectors */
void mt_read_note_vectors(Reader *r, uint32_t i);
void mt_read_step(Reader *r, uint32_t i);

/* reader_functions.c: headers of functions, kernels above all */
typedef struct Header { /* of a function: tokens */
  uint32_t first; /* behind template<…> */
  uint32_t name;
  uint32_t open, close; /* the parameter list */
  bool is_template, instantiation;
  bool kernel; /* says so, one way or the other */
} Header;
typedef struct Parameter {
  uint32_t first, end;
  uint32_t name; /* 0 = none */
  uint32_t space; /* token of the address space; 0 = none */
  uint32_t star;  /* the first * or &; 0 = a value */
  bool array;     /* T x[3], which is a pointer */
  bool constant;  /* const or constant before 'star' */
} Parameter;
/* The end of the parameter that starts at 'i': its ',' or the list's ')'. */
uint32_t mt_read_parameter_end(const mt_Lex *lex, uint32_t i, uint32_t close);
Parameter mt_read_parameter(const mt_Lex *lex, uint32_t first, uint32_t end);
const char *mt_read_qualified(Reader *r, uint32_t name); /* with its namespaces */
bool mt_read_header(Reader *r, uint32_t first, uint32_t end, Header *out);
void mt_read_kernel(Reader *r, const Header *h, uint32_t end);
void mt_read_instantiation(Reader *r, uint32_t first, uint32_t end);
void mt_read_pointers(Reader *r, const Header *h);

/* reader_signatures.c: kernels and their parameters as data */
/* The word of a parameter's address space, be it in the name of its type; "": none. */
const char *mt_read_space_of(Reader *r, const Parameter *p);
mt_ReadParam mt_read_describe(Reader *r, const Parameter *p, unsigned number);
mt_ReadKernel *mt_read_add_kernel(Reader *r, uint32_t at, const char *name); /* NULL: no memory */
void mt_read_add_param(Reader *r, mt_ReadKernel *k, mt_ReadParam param);
bool mt_read_is_doubtful(const mt_Lex *lex, uint32_t a, uint32_t b);
void mt_read_add_instance(Reader *r, uint32_t first, uint32_t end);
/* The host_name among the attributes of two tokens; or NULL. */
const char *mt_read_host_name(Reader *r, uint32_t a, uint32_t b);

/* reader_twins.c: functions that differ by address spaces alone */
bool mt_read_is_twin(Reader *r, const Header *h, uint32_t end);
bool mt_read_is_class_twin(Reader *r, uint32_t end);
void mt_read_choose_twins(Reader *r); /* once all is read */
/* <T, N> for the parameters of the template from 'first' to 'end' that have
** names. */
void mt_read_add_template_names(const mt_Lex *lex, uint32_t first, uint32_t end,
                                mt_Str *to);
/* The parameters' names, "__msl_a1" for one without. */
void mt_read_add_arguments(Reader *r, const Header *h, mt_Str *to);
/* Another name for a function whose old one is another's now, which has the
** default values too. */
void mt_read_rename_function(Reader *r, const Header *h, const char *name);

/* reader_bools.c: vec<T, N> deduced from a bool vector */
void mt_read_collect_bools(Reader *r); /* before all else is read */
void mt_read_note_bools(Reader *r, const Header *h,
                        uint32_t end); /* a function with its parameters read */
void mt_read_class_of_bools(Reader *r, uint32_t brace);
void mt_read_write_bools(
    Reader *r); /* once all is read, and the twins are chosen */
void mt_read_free_bools(Reader *r);

/* reader_refuse.c: what C++ takes and Metal does not */
bool mt_read_refuse_word(Reader *r, uint32_t i); /* true: and leave it alone */
void mt_read_swizzle(Reader *r, uint32_t i); /* the name behind a dot */
void mt_read_refuse_function(Reader *r, const Header *h); /* with a body */
void mt_read_lambda(Reader *r, uint32_t i); /* '[' in an expression? */
void mt_read_refuse_variable(Reader *r, uint32_t end); /* at program scope */

/* reader_builtins.c: a thread's place in a variable of the program */
bool mt_read_builtin(Reader *r, uint32_t name, uint32_t end); /* is it one? */
void mt_read_take_builtins(Reader *r, const Header *h, uint32_t brace, mt_ReadKernel *k); /* a kernel's */
void mt_read_list_builtins(Reader *r, uint32_t end); /* template … void f<T>(…); */

/* reader_storage.c: which variable an address space is said of */
#define MT_DECLARED_NAMES 8
typedef struct Declared { /* the declarators of one declaration */
  uint32_t count, bare; /* all; those without a *, which are in its address space */
  uint32_t name;        /* of the first bare one, most often */
  uint32_t names[MT_DECLARED_NAMES]; /* of the first few of all */
  uint32_t call;        /* the first '(' behind a name: parameters, a value; 0 */
  bool doubt;  /* the counts may be wrong: (*x), f<a, b>(c) */
  bool simple; /* names, lists and bounds alone: no value, no parentheses */
} Declared;
typedef enum Place { /* of the type that a word is part of */
  PLACE_TYPE,    /* of a parameter, a cast, an argument of a template: no variable */
  PLACE_POINTER, /* behind a '*': the pointer itself */
  PLACE_ALIAS,   /* typedef, using */
  PLACE_MEMBER,
  PLACE_PROGRAM,
  PLACE_LOCAL
} Place;
bool mt_read_is_specifier(const mt_Lex *lex, uint32_t i); /* const, static, device and their like */
/* alignas(16), __attribute__((…)), decltype(x), [[…]]: its last token; 0: none of them. */
uint32_t mt_read_group_end(const mt_Lex *lex, uint32_t i);
Declared mt_read_declared(const Reader *r, uint32_t first);
Place mt_read_place(const Reader *r, uint32_t first, uint32_t last);
void mt_read_name_space(Reader *r, uint32_t i, const char *space); /* in a typedef */
const char *mt_read_alias(const Reader *r, uint32_t i); /* the space in a type's name; or NULL */
bool mt_read_is_alias_declared(const Reader *r, uint32_t i); /* at this token */
void mt_read_store_constant(Reader *r, uint32_t i); /* constant as const */
/* The type from 'first' to 'last' is in 'space': place or refuse what it declares. */
void mt_read_store(Reader *r, uint32_t first, uint32_t last, const char *space);

/* reader_spaces.c: address spaces, and attributes outside of headers */
void mt_read_space(Reader *r, uint32_t i);
void mt_read_alias_use(Reader *r, uint32_t i); /* a type whose name says a space */
void mt_read_attribute(Reader *r, uint32_t i, uint32_t end);
/* The end of the entry of an attribute list that begins at 'k': its ',' or 'end'. */
uint32_t mt_read_entry_end(const mt_Lex *lex, uint32_t k, uint32_t end);

#endif
