/*
** parts.h - the state that the reader's files share; for msl/reader
** alone.
*/
#ifndef MT_READER_PARTS_H
#define MT_READER_PARTS_H

#include "msl/reader/reader.h"

#define MT_NAME_BUCKETS 1024

typedef enum mt_ScopeKind {
  MT_LEVEL_SPACE,
  MT_LEVEL_CLASS,
  MT_LEVEL_FUNCTION,
  MT_LEVEL_LIST
} mt_ScopeKind;

/* A name that is a type from token 'from' to 'to'. */
typedef struct mt_TypeName {
  struct mt_TypeName *next;
  const char *text;
  uint32_t length, from, to;
} mt_TypeName;

/* An open brace. */
typedef struct mt_Level {
  mt_ScopeKind scope;
  uint32_t open;       /* its token */
  uint32_t start;      /* of the declaration around it */
  uint32_t class_name; /* token of the class's name; 0 = none */
  uint32_t parens;     /* open parentheses around it */
  bool kernel;         /* the body of a kernel */
  bool dependent;      /* inside a template */
} mt_Level;

/* an overload that may differ only in address spaces */
typedef struct mt_SpaceOverload {
  struct mt_SpaceOverload *next;
  const char *key;    /* the signature without its address spaces */
  const char *spaces; /* its address spaces */
  bool body;
  /* of a function with a body: where it begins, its '{' */
  uint32_t start, brace;
  /* an earlier one with the same body, which is used instead; or NULL */
  struct mt_SpaceOverload *same;
  bool done;
} mt_SpaceOverload;

/* uint2 gid [[thread_position_in_grid]]; at program scope */
typedef struct mt_BuiltinVariable {
  const char *type, *name;
  const char *path; /* with its namespaces */
  const char *attribute;
  uint32_t at;
} mt_BuiltinVariable;

typedef struct mt_SpaceAlias { /* typedef threadgroup float name; */
  struct mt_SpaceAlias *next;
  const char *name, *space;
  uint32_t at; /* where it is declared */
} mt_SpaceAlias;

typedef struct mt_BoolAlias { /* template <class U> using name = vec<U, 8>; */
  struct mt_BoolAlias *next;
  const char *name;
} mt_BoolAlias;

typedef struct mt_BoolFunction { /* a template that deduces T of vec<T, N> */
  struct mt_BoolFunction *next;
  uint32_t start, brace; /* where it begins, its '{' */
  bool member;
} mt_BoolFunction;

/* The library's names that the reader treats apart; own.c. */
typedef enum mt_LibraryName {
  MT_LIBRARY_ANY,
  MT_LIBRARY_ALL,
  MT_LIBRARY_SELECT,
  MT_LIBRARY_ASSERT,
  MT_LIBRARY_COHERENT,
  MT_LIBRARY_MATMUL2D,
  MT_LIBRARY_VEC,
  MT_LIBRARY_IS_DEFINED,
  MT_LIBRARY_NAMES
} mt_LibraryName;

typedef struct mt_Reader {
  mt_Lex *lex;
  mt_Reading *out;
  mt_TypeName *types[MT_NAME_BUCKETS];
  /* variables; 'from' is 1 for pointers and arrays */
  mt_TypeName *vectors[MT_NAME_BUCKETS];
  mt_TypeName *templates[MT_NAME_BUCKETS]; /* names that template<…> declares */
  /* functions among them, once for each declaration: from 'template' to the
  ** name */
  mt_TypeName *generic[MT_NAME_BUCKETS];
  /* that Clang may know when it compiles; 'from' is 1 for bools */
  mt_TypeName *constants[MT_NAME_BUCKETS];
  mt_TypeName *takers[MT_NAME_BUCKETS]; /* functions that take a vector */
  mt_SpaceOverload *overloads[MT_NAME_BUCKETS];
  mt_Level *levels;
  uint32_t depth, level_room;
  uint32_t functions;   /* how many of 'levels' are functions */
  uint32_t start;       /* first token of the declaration being read */
  /* of the last class body: its declaration's first token; the token after its
  ** '}' */
  uint32_t body_start, body_end;
  uint32_t parens;      /* open parentheses since the last brace */
  uint32_t problem_room;
  mt_BuiltinVariable *builtins;
  uint32_t builtin_count, builtin_room;
  const char **declared; /* kernels, before their definition: builtins.c */
  uint32_t declared_count;
  mt_SpaceAlias *aliases;
  bool bools; /* the text may use vectors of bool */
  mt_BoolAlias *bool_aliases;
  mt_BoolFunction *bool_functions;
  bool spaces; /* address spaces are kept, see mt_reader_run */
  bool literals; /* of float are hidden from Clang: 'spaces', and bfloat used */
  /* the text declares a function or a type, a variable, with that name */
  bool own[MT_LIBRARY_NAMES], own_variable[MT_LIBRARY_NAMES];
  bool failed; /* no memory */
} mt_Reader;

/* reader.c */
void mt_read_problem(mt_Reader *r, uint32_t token, const char *help,
                     const char *fmt, ...) MT_PRINTF(4, 5);
void mt_read_warn_last(mt_Reader *r); /* the problem just noted is a warning */
bool mt_read_is_type(const mt_Reader *r, uint32_t i);
/* 'levels': how many […] after the name make it a vector */
void mt_read_add_vector(mt_Reader *r, uint32_t name, uint32_t levels);
bool mt_read_is_vector(const mt_Reader *r, uint32_t i, uint32_t levels);
void mt_read_add_type(mt_Reader *r, uint32_t name, uint32_t from, uint32_t to);
void mt_read_add_template(mt_Reader *r, uint32_t first, uint32_t name);
bool mt_read_is_template(const mt_Reader *r, uint32_t i);
/* The declarations of the function templates with the name at 'i', one after
** another; NULL: no further one. */
const mt_TypeName *mt_read_generic(const mt_Reader *r, uint32_t i,
                                   const mt_TypeName *last);
/* Names of constants; 'flag': of bools among them. */
void mt_read_add_constant(mt_Reader *r, uint32_t name, bool flag);
bool mt_read_is_constant(const mt_Reader *r, uint32_t i, bool flag);
/* Functions with a vector among their parameters, where they are declared: the
** name is token 'to'. */
void mt_read_add_taker(mt_Reader *r, uint32_t name);
const mt_TypeName *mt_read_taker(const mt_Reader *r, uint32_t i,
                                 const mt_TypeName *last);
uint32_t mt_read_angle(const mt_Lex *lex, uint32_t open); /* its '>', or 0 */
bool mt_read_attribute_at(const mt_Lex *lex, uint32_t i, uint32_t *end);
bool mt_read_is_space(const mt_Lex *lex, uint32_t i); /* address space word */
uint32_t mt_read_skip_template(const mt_Lex *lex, uint32_t i);
bool mt_read_in_function(const mt_Reader *r);

/* types.c: constructors, casts, literals */
bool mt_read_vector_name(const mt_Lex *lex, uint32_t i);
bool mt_read_narrow_float(const mt_Lex *lex, uint32_t i);
void mt_read_collect_types(mt_Reader *r);
void mt_read_number(mt_Reader *r, uint32_t i);
void mt_read_type_use(mt_Reader *r, uint32_t i);
void mt_read_static_cast(mt_Reader *r, uint32_t i);
void mt_read_list(mt_Reader *r, uint32_t brace);
void mt_read_typename(mt_Reader *r, uint32_t i);
bool mt_read_same_word(const mt_Lex *lex, uint32_t i, uint32_t k);
/* Is 'name' a parameter of the template<…> at 'start', or of the innermost if
** there are several? */
bool mt_read_own_parameter(const mt_Lex *lex, uint32_t start, uint32_t name);

bool mt_read_is_scalar(const mt_Lex *lex, uint32_t i); /* int, half, size_t */

/* own.c: names of the library that the source gives to something else */
void mt_read_collect_own(mt_Reader *r); /* before all else is read */
/* Is token 'i' this name, and the library's? */
bool mt_read_is_library(const mt_Reader *r, uint32_t i, mt_LibraryName name);
/* Does the source declare something with the name at 'i'? */
bool mt_read_is_own(const mt_Lex *lex, uint32_t i);
/* Is the text after the line marker 'd' a header of the library's, where the
** text 'before' it was, or was not? */
bool mt_read_is_library_text(const mt_Lex *lex, const mt_Token *d,
                             bool before);

/* step.c: ++ and -- on vectors */
void mt_read_note_vectors(mt_Reader *r, uint32_t i);
void mt_read_step(mt_Reader *r, uint32_t i);

/* functions.c: function signatures, kernels' above all */
typedef struct mt_FunctionHeader { /* a signature, as tokens */
  uint32_t first; /* after template<…> */
  uint32_t name;
  uint32_t open, close; /* the parameter list */
  bool is_template, instantiation;
  bool kernel; /* declared as one, by keyword or attribute */
} mt_FunctionHeader;
typedef struct mt_ReadParameter {
  uint32_t first, end;
  uint32_t name; /* 0 = none */
  uint32_t space; /* token of the address space; 0 = none */
  uint32_t star;  /* the first * or &; 0 = a value */
  bool array;     /* T x[3], which is a pointer */
  bool constant;  /* const or constant before 'star' */
} mt_ReadParameter;
/* The end of the parameter that starts at 'i': its ',' or the list's ')'. */
uint32_t mt_read_parameter_end(const mt_Lex *lex, uint32_t i, uint32_t close);
mt_ReadParameter mt_read_parameter(const mt_Lex *lex, uint32_t first,
                                   uint32_t end);
/* with its namespaces */
const char *mt_read_qualified(mt_Reader *r, uint32_t name);
bool mt_read_header(mt_Reader *r, uint32_t first, uint32_t end,
                    mt_FunctionHeader *out);
void mt_read_kernel(mt_Reader *r, const mt_FunctionHeader *h, uint32_t end);
void mt_read_instantiation(mt_Reader *r, uint32_t first, uint32_t end);
void mt_read_pointers(mt_Reader *r, const mt_FunctionHeader *h);

/* parameters.c: kernels and their parameters as data */
/* A parameter's address space, written or implied by a typedef; "": none. */
const char *mt_read_space_of(mt_Reader *r, const mt_ReadParameter *p);
mt_ReadParam mt_read_describe(mt_Reader *r, const mt_ReadParameter *p,
                              unsigned number);
/* NULL: no memory */
mt_ReadKernel *mt_read_add_kernel(mt_Reader *r, uint32_t at, const char *name);
void mt_read_add_param(mt_Reader *r, mt_ReadKernel *k, mt_ReadParam param);
bool mt_read_is_doubtful(const mt_Lex *lex, uint32_t a, uint32_t b);
void mt_read_add_instance(mt_Reader *r, uint32_t first, uint32_t end);
/* The host_name among the attributes from token 'a' to 'b'; or NULL. */
const char *mt_read_host_name(mt_Reader *r, uint32_t a, uint32_t b);

/* address_space_overloads.c: overloads that differ only in address spaces */
bool mt_read_is_space_overload(mt_Reader *r, const mt_FunctionHeader *h,
                               uint32_t end);
bool mt_read_is_class_overload(mt_Reader *r, uint32_t end);
void mt_read_choose_overloads(mt_Reader *r); /* once all is read */
/* <T, N> for the parameters of the template from 'first' to 'end' that have
** names. */
void mt_read_add_template_names(const mt_Lex *lex, uint32_t first, uint32_t end,
                                mt_Str *to);
/* The parameters' names, "__msl_a1" for one without. */
void mt_read_add_arguments(mt_Reader *r, const mt_FunctionHeader *h,
                           mt_Str *to);
/* Renames a function whose old name goes to a dispatching function, and removes
** its default arguments, which that function takes over. */
void mt_read_rename_function(mt_Reader *r, const mt_FunctionHeader *h,
                             const char *name);

/* bools.c: vec<T, N> deduced from a bool vector */
void mt_read_collect_bools(mt_Reader *r); /* before all else is read */
void mt_read_note_bools(mt_Reader *r, const mt_FunctionHeader *h,
                        uint32_t end); /* a function with its parameters read */
void mt_read_class_of_bools(mt_Reader *r, uint32_t brace);
void mt_read_write_bools(
    mt_Reader *r); /* after mt_read_choose_overloads */
void mt_read_free_bools(mt_Reader *r);

/* comparisons.c: comparisons of vectors, where their type matters */
void mt_read_compared(mt_Reader *r, uint32_t i); /* in the '(' at 'i' */
/* at 'return', or at 'auto' or 'bool4' of a declaration; else nothing */
void mt_read_compared_result(mt_Reader *r, uint32_t i);
/* Is a comparison the argument of any call? */
bool mt_read_has_compared(mt_Reader *r);
/* The token after 'i' and, if it opens brackets or template arguments, after
** these; of an expression up to 'end'. */
uint32_t mt_read_after(const mt_Reader *r, uint32_t i, uint32_t end);

/* splats.c: bools that Clang knows, where a vector may be made of them */
void mt_read_collect_constants(mt_Reader *r); /* before all else is read */
/* T name = …, from the token after the '=' on */
void mt_read_splat_declared(mt_Reader *r, uint32_t first);
void mt_read_splat_arguments(mt_Reader *r, uint32_t open); /* '(' */
void mt_read_splat_list(mt_Reader *r, uint32_t open);      /* '{' */
void mt_read_splat_assigned(mt_Reader *r, uint32_t i);     /* '=' */
void mt_read_splat_returned(mt_Reader *r, uint32_t i);     /* 'return' */

/* refuse.c: C++ that Metal does not accept */
/* true: refused, and the reader should not rewrite it */
bool mt_read_refuse_word(mt_Reader *r, uint32_t i);
void mt_read_swizzle(mt_Reader *r, uint32_t i); /* the name after a dot */
/* with a body */
void mt_read_refuse_function(mt_Reader *r, const mt_FunctionHeader *h);
void mt_read_lambda(mt_Reader *r, uint32_t i); /* '[' in an expression? */
void mt_read_open_attribute(mt_Reader *r, uint32_t i); /* '[' without ']'? */
void mt_read_refuse_variable(mt_Reader *r, uint32_t end); /* at program scope */

/* builtins.c: program-scope variables with a thread's position */
/* is it one? */
bool mt_read_builtin(mt_Reader *r, uint32_t name, uint32_t end);
/* a kernel's declaration */
void mt_read_declare_builtins(mt_Reader *r, const mt_FunctionHeader *h);
/* a kernel's */
void mt_read_take_builtins(mt_Reader *r, const mt_FunctionHeader *h,
                           uint32_t brace, mt_ReadKernel *k);
/* template … void f<T>(…); */
void mt_read_list_builtins(mt_Reader *r, uint32_t end);

/* storage.c: the variables that an address space applies to */
#define MT_DECLARED_NAMES 8
typedef struct mt_Declarators { /* the declarators of one declaration */
  /* all declarators; those without a *, which are in the address space */
  uint32_t count, bare;
  uint32_t name;        /* of the first bare one, most often */
  uint32_t names[MT_DECLARED_NAMES]; /* of the first few of all */
  /* the first '(' after a name: parameters or an initialiser; 0: none */
  uint32_t call;
  bool doubt;  /* the counts may be wrong: (*x), f<a, b>(c) */
  bool simple; /* names, lists and bounds alone: no value, no parentheses */
} mt_Declarators;
typedef enum mt_TypePlace { /* where the type with an address space stands */
  /* in a parameter, a cast, a template argument: no variable */
  MT_PLACE_TYPE,
  MT_PLACE_POINTER, /* after a '*': the pointer itself */
  MT_PLACE_ALIAS,   /* typedef, using */
  MT_PLACE_MEMBER,
  MT_PLACE_PROGRAM,
  MT_PLACE_LOCAL
} mt_TypePlace;
/* const, static, device and the like */
bool mt_read_is_specifier(const mt_Lex *lex, uint32_t i);
/* alignas(16), __attribute__((…)), decltype(x), [[…]]: its last token; 0:
** none of them. */
uint32_t mt_read_group_end(const mt_Lex *lex, uint32_t i);
mt_Declarators mt_read_declared(const mt_Reader *r, uint32_t first);
mt_TypePlace mt_read_place(const mt_Reader *r, uint32_t first, uint32_t last);
/* Records a typedef that implies an address space. */
void mt_read_name_space(mt_Reader *r, uint32_t i, const char *space);
/* the address space that the typedef at 'i' implies; or NULL */
const char *mt_read_alias(const mt_Reader *r, uint32_t i);
/* at this token */
bool mt_read_is_alias_declared(const mt_Reader *r, uint32_t i);
void mt_read_store_constant(mt_Reader *r, uint32_t i); /* constant as const */
/* The type from 'first' to 'last' is in 'space': place or refuse the variables
** that it declares. */
void mt_read_store(mt_Reader *r, uint32_t first, uint32_t last,
                   const char *space);

/* spaces.c: address spaces, and attributes outside signatures */
void mt_read_space(mt_Reader *r, uint32_t i);
/* the use of a typedef that implies an address space */
void mt_read_alias_use(mt_Reader *r, uint32_t i);
void mt_read_attribute(mt_Reader *r, uint32_t i, uint32_t end);
/* The end of the entry of an attribute list that begins at 'k': its ',' or
** 'end'. */
uint32_t mt_read_entry_end(const mt_Lex *lex, uint32_t k, uint32_t end);

#endif
