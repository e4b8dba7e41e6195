/*
** line_table.h - maps an address in machine code to its line of MSL.
*/
#ifndef MT_HOST_NATIVE_LINE_TABLE_H
#define MT_HOST_NATIVE_LINE_TABLE_H

#include <stddef.h>

typedef struct mt_LineTable mt_LineTable; /* opaque */

/* Copy the line table of 'object'; NULL if it has none. Freed by
** mt_line_table_free. */
mt_LineTable *mt_line_table_read(const void *object, size_t size,
                                 const char *symbol);
void mt_line_table_free(mt_LineTable *l); /* NULL ok */

/* The line of the instruction 'distance' bytes from the start of 'symbol'; 0:
** not known. */
unsigned mt_line_table_find(const mt_LineTable *l, ptrdiff_t distance);

#endif
