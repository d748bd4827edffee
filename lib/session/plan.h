/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - the list of steps that a session runs, with every byte of host memory placed. */
#ifndef DELEGAUGE_PLAN_H
#define DELEGAUGE_PLAN_H

#include "lib/delegate/partition.h"
#include "lib/graph/kernel.h"

struct dynamic_group;

/* One CPU kernel, or one partition of a delegate. */
struct step {
    struct cpu_call call; /* call.node is NULL for a partition */
    struct delegate_kernel *kernel;
    const struct partition *part;
    int32_t part_index;            /* -1: CPU */
    struct dynamic_group *dynamic; /* of the first step of a group (dynamic_shapes.c), or NULL */
    int32_t *resources; /* of a partition with resource variables: [inputs, then outputs] their numbers, -1 for others; or NULL */
    uint32_t *at;       /* with these: the buffer that each is bound to (variable_binding.h) */
    int32_t *shapes;    /* of a dynamic node whose kernel is prepare_by_shape: all its tensors' at the last prepare, or NULL */
};

/* Owns its memory and the kernels' packed weights; the session makes and frees the compiled partitions. */
struct plan {
    struct step *steps; /* [n_steps] in the order in which they run */
    uint32_t n_steps;
    void *block;                                                  /* shared by tensors */
    void *scratch;                                                /* shared by the kernels, one step at a time */
    size_t block_bytes, lower_bound, scratch_bytes, packed_bytes; /* lower_bound: largest set of tensors alive at one step */
    struct arena arena;
};

/* Orders steps, places the tensors of `g` that live in host memory and prepares the CPU kernels; partitions are not compiled
 * here (step.kernel stays NULL). keep_all gives every tensor its own memory. What the plan needs is held against the
 * machine's memory before it is allocated. */
enum status plan_make(struct plan *p, struct graph *g, const struct partitioning *parts, const struct cpu_call *defaults,
                      bool keep_all, struct err *err);

/* Runs prepare of a CPU step again, unless nothing that it depends on has changed, and makes room for its scratch. */
enum status plan_prepare_step(struct plan *p, struct step *step, struct err *err);

/* Whether the tensor's data lies in the plan's memory. */
bool plan_holds(const struct plan *p, const struct tensor *t);

/* Frees what plan_make made; delegate kernels are the session's to free before. */
void plan_free(struct plan *p);

#endif
