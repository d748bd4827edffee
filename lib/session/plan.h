/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h - the steps that a session runs, with all tensors of host memory placed. */
#pragma once

#include "lib/delegate/partition.h"
#include "lib/graph/kernel.h"

struct dynamic_group;

/* A node that the CPU runs, or a partition of a delegate. */
struct step {
    struct cpu_call call;           /* call.node is NULL for a partition */
    struct delegate_kernel *kernel; /* the compiled partition, not owned; NULL for the CPU */
    const struct partition *part;   /* NULL for the CPU */
    int32_t part_index;             /* index of the partition; -1 for the CPU */
    struct dynamic_group *dynamic;  /* the group that begins with this step (dynamic_shapes.c), or NULL */
    int32_t *resources; /* [inputs, then outputs of the partition] numbers of resource variables, -1 for other tensors; NULL
                         * if there are none */
    uint32_t *at;       /* [likewise] the buffers that they are bound to (variable_binding.h); NULL with resources */
    int32_t *shapes;    /* shapes at the last prepare of a dynamic node whose kernel is prepare_by_shape; else NULL */
};

/* The plan owns its memory and the kernels' packed weights; the session makes and frees the compiled partitions. */
struct plan {
    struct step *steps; /* [n_steps] in execution order */
    uint32_t n_steps;
    void *block;                     /* [block_bytes] memory shared by tensors */
    void *scratch;                   /* [scratch_bytes] memory shared by the CPU kernels, one step at a time */
    size_t block_bytes, lower_bound, /* lower_bound: bytes of the largest set of tensors alive at one step */
        scratch_bytes, packed_bytes; /* packed_bytes: all packed weights */
    struct arena arena;
};

/* Order the steps, place the tensors of `g` that live in host memory, prepare the CPU kernels. Partitions are not compiled here:
 * step.kernel stays NULL. parts NULL: there is no delegate. keep_all: give every tensor memory of its own. Fails with ST_NOMEM,
 * before it allocates, if the plan needs more memory than the machine has; with ST_UNSUPPORTED or as a kernel's prepare fails. Free
 * *p after a failure too. */
enum status plan_make(struct plan *p, struct graph *g, const struct partitioning *parts, const struct cpu_call *defaults,
                      bool keep_all, struct err *err);

/* Prepare a CPU step again, unless no shape has changed and its kernel is prepare_by_shape; make room for its scratch. */
enum status plan_prepare_step(struct plan *p, struct step *step, struct err *err);

/* Return true if the tensor's data is in the plan's block. */
bool plan_holds(const struct plan *p, const struct tensor *t);

/* Free the plan; the session frees the delegates' kernels before. */
void plan_free(struct plan *p);
