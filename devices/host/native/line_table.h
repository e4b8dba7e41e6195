/*
** line_table.h - from an address in machine code to the line of MSL it was made
** for.
*/
#ifndef MT_HOST_NATIVE_LINE_TABLE_H
#define MT_HOST_NATIVE_LINE_TABLE_H

#include <stddef.h>

typedef struct mt_LineTable mt_LineTable; /* opaque */

/* Keep what 'object' says about the lines of its code; NULL if it says
** nothing. Freed by mt_line_table_free. */
mt_LineTable *mt_line_table_read(const void *object, size_t size,
                                 const char *symbol);
void mt_line_table_free(mt_LineTable *l); /* NULL ok */

/* The line of the instruction 'distance' bytes from the start of 'symbol'; 0 if
** it is not known. */
unsigned mt_line_table_find(const mt_LineTable *l, ptrdiff_t distance);

#endif
