/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.h - the delegate "gpu". */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/options/gpu_options.h"

extern const struct delegate_type delegate_gpu;

struct gl_context;

/* The context that `d`, a delegate "gpu", works in; it belongs to d. For tests. */
struct gl_context *gpu_context(struct delegate *d);

/* Among how many variants the operation with the largest choice could choose, of all that `d`, a delegate "gpu", has compiled
 * since this was asked last; 0 where it compiled nothing. For tests that force each variant. */
uint32_t gpu_variants(struct delegate *d);

/* Compiles the n partitions of a graph, of what `d` claimed, as far as that goes without a driver, plans included, and drops the
 * result: for tests of the promise that this never fails. `d` may be one of open_static, which stands for a device with the limits
 * gpu_options.most, or the least where that is NULL. see() (or NULL) is given label and source of each shader, in their order. */
enum status gpu_dry_compile(struct delegate *d, const struct graph *g, const struct partition *parts, uint32_t n,
                            void (*see)(void *arg, const char *label, const char *text), void *arg, struct err *err);

/* Count bytes that gpu_buffer_new allocates, and those that it freed, among those held. gpu_take_bytes fails with ST_NOMEM if they
 * do not fit in gpu_options.max_memory_mb. */
enum status gpu_take_bytes(struct delegate *d, uint64_t bytes, struct err *err);
void gpu_give_bytes(struct delegate *d, uint64_t bytes);

/* As delegate_ops has them. */
enum status gpu_buffer_new(struct delegate *d, size_t bytes, uint32_t *id, struct err *err);
enum status gpu_buffer_write(struct delegate *d, uint32_t id, const void *data, size_t bytes, struct err *err);
enum status gpu_buffer_read(struct delegate *d, uint32_t id, void *data, size_t bytes, struct err *err);
void gpu_buffer_free(struct delegate *d, uint32_t id);
enum status gpu_buffer_copy(struct delegate *d, uint32_t from, uint32_t to, size_t bytes, struct err *err);
