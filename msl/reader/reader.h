/*
** reader.h - rewrites the syntax that MSL adds to C++17, token by token.
**
** The reader knows the syntax of declarations but no types. It rewrites address
** spaces, attributes, kernel functions, threadgroup variables, function
** constants, vector constructors and literals into C++ that Clang accepts (see
** metal/__types), leaves all other tokens alone, and reports the errors that
** only it can see. It passes information to the later steps in annotations:
**   on a kernel      "kernel|name|attribute|attribute…"
**   on a parameter   "param|space|form|const|offset|name|attribute…"
**                    form: pointer, reference or value; space "global": the
**                    value of a program-scope variable
**   on an explicit instantiation   "host|name"
**   on a variable    "space|threadgroup|own|offset": it is in that address
**                    space; a number instead of own: that many declarators of
**                    its declaration, the non-pointers, are; 0: any number
*/
#ifndef MT_READER_H
#define MT_READER_H

#include "msl/reader/lex.h"

/* Address spaces in Clang's numbering; thread is its default one, 0. */
enum {
  MT_CLANG_DEVICE = 11,
  MT_CLANG_CONSTANT = 12,
  MT_CLANG_THREADGROUP = 13
};

/* Prefix of the kernel parameter that holds the value of a program-scope
** [[thread_position_in_grid]] variable. */
#define MT_BUILTIN_PREFIX "__mt_global_"

/* For a conversion that Clang would accept; the reader and
** diagnostics/diagnose.c report it. */
#define MT_FLOAT_TO_BFLOAT \
  "a value of type 'float' does not become a 'bfloat' by itself"
#define MT_FLOAT_TO_BFLOAT_HELP \
  "Convert it: bfloat(x), or T(x) in a template; a literal is written 1.0bf."

typedef struct mt_Problem {
  uint32_t at; /* offset in the text that the reader was given */
  bool warning;
  const char *message; /* lives in the lex's arena */
  const char *help;    /* or NULL */
} mt_Problem;

/* A parameter of a kernel, as it is written. */
typedef struct mt_ReadParam {
  const char *name;   /* "argument3" where it has none */
  /* "device"; "": none; "global": of a program-scope variable */
  const char *space;
  const char *form;   /* pointer, reference or value */
  /* without address spaces, qualifiers, stars and bounds; "": the reader cannot
  ** tell */
  const char *type;
  const char *bounds; /* of a reference to an array: "[3]"; or "" */
  /* its binding: "buffer", "thread_position_in_grid"; or "" */
  const char *attribute;
  const char *index;     /* that attribute's argument; or NULL */
  uint32_t at;
  bool named, constant;
  bool conditional; /* a function constant may remove it */
  bool doubt;       /* MT_DOUBT is in it */
} mt_ReadParam;

typedef struct mt_ReadKernel {
  const char *name; /* with its namespaces */
  const char *host; /* its host_name; or NULL */
  const char *head; /* template<…>; or "" */
  const char *args; /* of an instance: <…> after its name; or "" */
  uint32_t at;
  /* tokens: the 'kernel' of its definition and the '{' of its body; of an
  ** instance: its first token and its ';' */
  uint32_t first, end;
  /* of a definition, tokens: the declaration's first one, the name; the text
  ** that opens the namespaces around it, or NULL: in something else */
  uint32_t start, called;
  const char *spaces;
  uint32_t depth; /* how many braces 'spaces' opens */
  /* template … name<float>(…): its parameters are those of the template
  ** 'name' */
  bool instance;
  bool doubt;    /* MT_DOUBT is before its parameters */
  bool unwanted; /* mt_reading_only was not asked for it */
  mt_ReadParam *params;
  uint32_t count, room;
} mt_ReadKernel;

#define MT_MOST_SHARED 64

typedef struct mt_Reading {
  mt_Problem *problems;
  uint32_t problem_count;
  /* names of threadgroup variables, which Clang sees as a thread's own */
  const char *shared[MT_MOST_SHARED];
  uint32_t shared_count;
  /* address spaces occur outside kernel signatures, or bfloat is used:
  ** msl/diagnostics/address_spaces.c has something to check */
  bool second;
  mt_ReadKernel *kernels; /* and explicit instantiations; in order */
  uint32_t kernel_count, kernel_room;
} mt_Reading;

/*
** Record all edits on 'lex'. With 'spaces' address spaces are kept, as numbers
** that Clang can tell apart (MT_CLANG_…): that text serves only to diagnose
** address-space errors. MT_FAIL: out of memory. Free 'out' in any case; the
** strings it points to live in the lex's arena.
*/
mt_Status mt_reader_run(mt_Lex *lex, bool spaces, mt_Reading *out);
void mt_reading_free(mt_Reading *r);

/* Prefix of the name of a function that has a kernel's signature alone. */
#define MT_SIGNATURE_PREFIX "__msl_signature_"

/*
** Further edits, before the text is written (strip_kernels.c).
** mt_reading_lazy: Clang generates no function that no other one uses, except
** kernels; it is the last of the edits. mt_reading_signatures is the same for
** kernels, too, and gives in 'out' what is to follow the written text: a
** function without code for each of them, from which its signature can be read;
** false: it cannot be done for one of them, and nothing was changed.
** mt_reading_not_lazy takes back what mt_reading_signatures has edited.
** mt_reading_headers empties the bodies of kernels, which is enough for the
** reflection of their signatures. mt_reading_first_instances keeps the first
** instance of each template, so that Clang checks the template, and drops the
** others; false: there are none. mt_reading_only keeps the kernels with these
** names: the others are not instantiated, have no body, or are emitted only
** where these call them; false: for one of the names there can be no kernel.
*/
void mt_reading_lazy(mt_Lex *lex, const mt_Reading *r);
bool mt_reading_signatures(mt_Lex *lex, const mt_Reading *r, mt_Str *out);
void mt_reading_not_lazy(mt_Lex *lex);
void mt_reading_headers(mt_Lex *lex, const mt_Reading *r);
bool mt_reading_first_instances(mt_Lex *lex, const mt_Reading *r);
bool mt_reading_only(mt_Lex *lex, mt_Reading *r,
                     const char *const *names, size_t count);

#endif
