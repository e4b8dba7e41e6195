/*
** cells.h - cells of a notebook: they run, and what they show is published.
*/
#ifndef MT_NOTEBOOK_CELLS_H
#define MT_NOTEBOOK_CELLS_H

#include "repl/notebook/request.h"

/* Values and errors of cells go to the notebook from now on; Lua has
** "mettle.notebook". */
void mt_notebook_open_cells(mt_Notebook *nb);
void mt_notebook_close_cells(mt_Notebook *nb);

/* Runs the cell of the request, whose content is 'asked'. */
void mt_notebook_execute(mt_Notebook *nb, const cJSON *asked);

#endif
