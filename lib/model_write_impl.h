/* model_write_impl.h - what the files of the writer share; not for others. */
#ifndef DELEGAUGE_MODEL_WRITE_IMPL_H
#define DELEGAUGE_MODEL_WRITE_IMPL_H

#include "../schema/file.h"
#include "fbw.h"
#include "model.h"

/* Room for the references of n tables, which are written before the vector that lists them. NULL fails the writer. */
fbw_ref *model_refs(struct fbw *w, size_t n);

fbw_ref model_put_subgraph(struct fbw *w, const struct model_subgraph *g);

fbw_ref model_put_options(struct fbw *w, enum options_kind kind, const void *options);

#endif
