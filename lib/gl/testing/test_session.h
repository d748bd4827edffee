/* SPDX-License-Identifier: Apache-2.0 */
/* test_session.h - functions for tests that compare sessions on the GPU with sessions on the CPU.
 *
 * Inputs and outputs are float32. Any failure inside these functions fails the test, with the library's message. */
#pragma once

#include "lib/gl/testing/test_gpu.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* Shape of the images that these models work on, [1, H, W, C]: the width is no multiple of a tile. */
#define H 12
#define W 10
#define C 16

/* Add a float32 tensor of that shape; returns its index. */
int32_t test_image(struct builder *b, const char *name);

/* Add a float32 constant of dim[rank], uniform in -0.2 ... 0.2, the same for the same seed; returns its index. */
int32_t test_weights(struct builder *b, const int32_t *dim, int32_t rank, uint64_t seed);

/* Add y = x, both of rank 4, by an operator that the GPU does not take: the nodes before and after it are partitions of their
 * own. */
void test_on_cpu(struct builder *b, int32_t x, int32_t y);

/* Build y = |x| * 3 of float32 [3, 5]: a network to run beside another, or the smallest one. Free with unload. */
struct loaded test_small_network(void);

/* Return a session ready to run: on the reference CPU kernels if d is NULL, else on `d`, with these kernels for the nodes that it
 * refuses. The caller frees it before `l` and before `d`. */
struct session *test_start(const struct loaded *l, struct delegate *d);

/* Fill each input i of floats with sin(k + phase + i): equal for equal phases in any session of the model. */
void test_fill(struct session *s, double phase);

/* Fill both by `phase`, run both, and fail if a float output differs by more than 1e-5, or is NaN in one of them. */
void test_compare(struct session *gpu, struct session *cpu, double phase);

/* Run the model on a GPU opened with `o`, as test_open_gpu does, compare it with the CPU, and return the number of its dispatches
 * whose detail in a profile ("conv 4x2 +ADD") begins with `label`. */
uint32_t test_dispatches(const struct loaded *l, struct gpu_options o, const char *label);

/* A model on the GPU, and the same on the reference CPU kernels alone. */
struct test_pair {
    struct delegate *d;
    struct loaded l;
    struct session *gpu, *cpu;
};

/* End the builder. Both sessions are ready to run, and n_delegated nodes of the first are the GPU's. Ends the test if there is no
 * GPU, as test_open_gpu. */
struct test_pair test_pair_start(struct builder *b, struct gpu_options o, uint32_t n_delegated);

/* Fill the inputs of both by `fill`, and run both. */
void test_pair_run(const struct test_pair *p, void (*fill)(struct session *s));

/* Fail if outputs differ in a bit. */
void test_pair_same(const struct test_pair *p);

void test_pair_stop(struct test_pair *p);

/* Call test_open_gpu for the best device with default options: skips or fails if there is none. The caller closes the delegate. */
struct delegate *test_open_best(void);
