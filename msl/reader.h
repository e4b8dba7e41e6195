/*
** reader.h - what MSL has and C++17 has not, rewritten token by token.
**
** The reader knows the shape of declarations but no types. It turns address
** spaces, attributes, kernel functions, threadgroup variables, function
** constants, vector constructors and literals into what Clang takes (see
** metal/__types), leaves all else alone, and notes what only it can see to be
** wrong. What it tells the later steps travels in annotations:
**   on a kernel      "kernel|name|attribute|attribute…"
**   on a parameter   "param|space|form|const|name|attribute…"
**                    form: pointer, reference or value; space "global": the
**                      value of
**                    a variable of the program
**   on an explicit instantiation   "host|name"
**   on a variable    "space|threadgroup|own|offset": it is in that address
**     space; a number instead
**                    of own: so many of its declaration are, those that are no
**                      pointers; 0: any number
*/
#ifndef MT_READER_H
#define MT_READER_H

#include "msl/lex.h"

/* thread is Clang's own address space, 0 */
enum {
  MT_CLANG_DEVICE = 11,
  MT_CLANG_CONSTANT = 12,
  MT_CLANG_THREADGROUP = 13
};

/* What a kernel calls the value of a program-scope
** [[thread_position_in_grid]] variable. */
#define MT_BUILTIN_PREFIX "__mt_global_"

/* Of a value that Clang would convert, wherever it is found. */
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
  /* "device"; "": none; "global": of a variable of the program */
  const char *space;
  const char *form;   /* pointer, reference or value */
  /* without spaces, qualifiers, stars and bounds; "": it takes more than a
  ** reader to tell */
  const char *type;
  const char *bounds; /* of a reference to an array: "[3]"; or "" */
  /* what it is bound by: "buffer", "thread_position_in_grid"; or "" */
  const char *attribute;
  const char *index;     /* that attribute's argument; or NULL */
  uint32_t at;
  bool named, constant;
  bool conditional; /* a function constant may leave it out */
  bool doubt;       /* MT_DOUBT is in it */
} mt_ReadParam;

typedef struct mt_ReadKernel {
  const char *name; /* with its namespaces */
  const char *host; /* its host_name; or NULL */
  const char *head; /* template<…>; or "" */
  const char *args; /* of an instance: <…> behind its name; or "" */
  uint32_t at;
  uint32_t first, end; /* tokens: where its definition says kernel, and the '{' of its body; an instance: its
                       ** first and its ';' */
  /* template … name<float>(…): its parameters are those of the template
  ** 'name' */
  bool instance;
  bool doubt;    /* MT_DOUBT is before them */
  mt_ReadParam *params;
  uint32_t count, room;
} mt_ReadKernel;

#define MT_MOST_SHARED 64

typedef struct mt_Reading {
  mt_Problem *problems;
  uint32_t problem_count;
  /* names of threadgroup variables that Clang sees as a thread's */
  const char *shared[MT_MOST_SHARED];
  uint32_t shared_count;
  bool pointers; /* some lead into an address space outside of kernel headers */
  mt_ReadKernel *kernels; /* and instances of templates of kernels; in order */
  uint32_t kernel_count, kernel_room;
} mt_Reading;

/*
** Note all edits on 'lex'. With 'spaces' address spaces stay, as numbers that
** Clang can tell apart (MT_SPACE_…): such a text shows mistakes with them and
** is good for nothing else. MT_FAIL: out of memory. Free 'out' in any case.
** What it points to lives in the lex's arena.
*/
mt_Status mt_reader_run(mt_Lex *lex, bool spaces, mt_Reading *out);
void mt_reading_free(mt_Reading *r);

/*
** Further edits, before the text is written (reader_choose.c). Kernels without
** what is in their bodies: enough for all that can be asked of their headers.
** And one kernel alone: the others are not instantiated, or made only where
** this one calls them; false: none is surely called 'name'.
*/
void mt_reading_headers(mt_Lex *lex, const mt_Reading *r);
bool mt_reading_only(mt_Lex *lex, const mt_Reading *r, const char *name);

#endif
