/*
** type_text.h - a type of MSL as one line of text, and back.
**
** The compiler's process knows the types of variables, the program shows their
** values: between them a type is text. A pointer's target and a texture's
** arguments are names alone.
*/
#ifndef MT_BASE_TYPE_TEXT_H
#define MT_BASE_TYPE_TEXT_H

#include "base/kernel_types/reflect.h"
#include "base/str.h"

void mt_type_write(mt_Str *out, const mt_Type *type);

/* Memory of types that were read; {0} at first. */
typedef struct mt_TypeStore {
  struct mt_TypePiece *first;
} mt_TypeStore;

/* The type, which lives as long as 'store'; NULL: the text is none, or there is
** no memory. */
const mt_Type *mt_type_read(mt_TypeStore *store, const char *text);
void mt_type_store_free(mt_TypeStore *store);

#endif
