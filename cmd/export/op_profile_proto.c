/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_proto.c - the messages from the inside out; numbers of fields are those of TFLite's profiling_info.proto. */
#include "cmd/export/op_profile_proto.h"

#include <math.h>

/* OpProfilingStat. */
static void put_stats(struct proto *p, const struct stats *us)
{
    const double whole[] = {us->first, us->last, us->avg};
    const double ends[] = {us->min, us->max, us->sum};

    for (uint32_t i = 0; i < 3; i++)
        proto_int(p, 1 + i, llround(whole[i]));
    proto_float(p, 4, (float)us->std);
    proto_float(p, 5, (float)(us->std * us->std));
    for (uint32_t i = 0; i < 3; i++)
        proto_int(p, 6 + i, llround(ends[i]));
    proto_int(p, 9, (int64_t)us->count);
}

/* OpProfileData. */
static enum status put_row(struct proto *p, const struct op_profile *profile, size_t i, struct err *err)
{
    const struct op_row *row = &profile->rows[i];
    struct proto inner = {0};
    struct stats us = {0};
    enum status st = stats_of(row->us, row->timed ? profile->runs : 0, &us, err);

    proto_string(p, 1, row->type);
    put_stats(&inner, &us);
    proto_message(p, 2, &inner);
    proto_int(p, 4, 1);
    proto_string(p, 5, row->name);
    proto_int(p, 6, (int64_t)i);
    return st;
}

/* ModelProfilingData, with one SubGraphProfilingData. */
static enum status put_profile(struct proto *p, const struct op_profile *profile, const char *name, struct err *err)
{
    struct proto subgraph = {0}, row = {0};
    enum status st = ST_OK;

    proto_string(&subgraph, 1, name);
    proto_int(&subgraph, 2, 0);
    for (size_t i = 0; i < profile->n_rows && !st; i++) {
        st = put_row(&row, profile, i, err);
        proto_message(&subgraph, 3, &row);
    }
    proto_message(p, 1, &subgraph);
    return st;
}

enum status op_profile_proto(const struct op_profile *init, const struct op_profile *run, const char *subgraph, struct proto *out,
                             struct err *err)
{
    struct proto inner = {0};
    enum status st = put_profile(&inner, init, subgraph, err);

    proto_message(out, 2, &inner);
    if (!st)
        st = put_profile(&inner, run, subgraph, err);
    proto_message(out, 3, &inner);
    return st || !out->failed ? st : err_set(err, ST_NOMEM, "out of memory for the op profile");
}
