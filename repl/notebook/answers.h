/*
** answers.h - what a notebook asks beside running cells. Each gets the content
** of its request, and answers it.
*/
#ifndef MT_NOTEBOOK_ANSWERS_H
#define MT_NOTEBOOK_ANSWERS_H

#include "repl/notebook/request.h"

void mt_notebook_complete(mt_Notebook *nb, const cJSON *asked);
void mt_notebook_inspect(mt_Notebook *nb, const cJSON *asked);
void mt_notebook_is_complete(mt_Notebook *nb, const cJSON *asked);
void mt_notebook_history(mt_Notebook *nb, const cJSON *asked);
void mt_notebook_comm_info(mt_Notebook *nb, const cJSON *asked);
void mt_notebook_comm_open(mt_Notebook *nb, const cJSON *asked);

/* What this kernel is; any thread. */
cJSON *mt_notebook_kernel_info(void);

#endif
