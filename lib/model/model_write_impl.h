/* SPDX-License-Identifier: Apache-2.0 */
/* model_write_impl.h - declarations shared by the writer's sources, for them alone. */
#pragma once

#include "lib/base/fbw.h"
#include "lib/model/model.h"
#include "schema/file.h"

/* Write a vector of n tables; put(w, of, i) writes table i. */
typedef fbw_ref (*put_item)(struct fbw *w, const void *of, uint32_t i);
fbw_ref model_put_list(struct fbw *w, const void *of, uint32_t n, put_item put);

/* Write subgraph i of a struct model. */
fbw_ref model_put_subgraph(struct fbw *w, const void *of, uint32_t i);

fbw_ref model_put_options(struct fbw *w, enum options_kind kind, const void *options);
