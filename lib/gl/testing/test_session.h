/* SPDX-License-Identifier: Apache-2.0 */
/* test_session.h - for tests that hold sessions on the GPU against sessions on the CPU.
 *
 * Inputs and outputs are float32. What fails inside these functions fails the test, with the library's message. */
#ifndef DELEGAUGE_GL_TEST_SESSION_H
#define DELEGAUGE_GL_TEST_SESSION_H

#include "lib/gl/testing/test_gpu.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* Shape of the images that these models work on, [1, H, W, C]: the width is no multiple of a tile. */
#define H 12
#define W 10
#define C 16

/* A float32 tensor of that shape; returns its index. */
int32_t test_image(struct builder *b, const char *name);

/* A float32 constant of dim[rank], uniform in -0.2 ... 0.2, the same for the same seed; returns its index. */
int32_t test_weights(struct builder *b, const int32_t *dim, int32_t rank, uint64_t seed);

/* y = x, both of rank 4, by an operator that the GPU does not take: what stands before and after it are partitions of their own. */
void test_on_cpu(struct builder *b, int32_t x, int32_t y);

/* y = |x| * 3 of float32 [3, 5]: a network of its own where another runs, or the least that there is. Free with unload. */
struct loaded test_small_network(void);

/* A session ready to run: on the reference CPU kernels where d is NULL, else on `d` with them for what it refuses. The caller frees
 * it before `l` and before `d`. */
struct session *test_start(const struct loaded *l, struct delegate *d);

/* Fills input i, where it is of floats, with sin(k + phase + i): equal for equal phases in any session of the model. */
void test_fill(struct session *s, double phase);

/* Fills both by `phase`, runs both, and fails where a float output differs by more than 1e-5, or is NaN in one of them. */
void test_compare(struct session *gpu, struct session *cpu, double phase);

/* Runs the model on a GPU opened with `o`, as test_open_gpu does, holds it against the CPU, and returns how many of its dispatches
 * have a detail ("conv 4x2 +ADD") that begins with `label`, in a profile. */
uint32_t test_dispatches(const struct loaded *l, struct gpu_options o, const char *label);

/* A model on the GPU, and the same on the reference CPU kernels alone. */
struct test_pair {
    struct delegate *d;
    struct loaded l;
    struct session *gpu, *cpu;
};

/* Ends the builder. Both sessions are ready to run, and n_delegated nodes of the first are the GPU's. Ends the test where there is
 * no GPU, as test_open_gpu. */
struct test_pair test_pair_start(struct builder *b, struct gpu_options o, uint32_t n_delegated);

/* Fills the inputs of both by `fill`, and runs both. */
void test_pair_run(const struct test_pair *p, void (*fill)(struct session *s));

/* Fails where outputs differ in a bit. */
void test_pair_same(const struct test_pair *p);

void test_pair_stop(struct test_pair *p);

/* test_open_gpu of the best device with default options: skips or fails where there is none. The caller closes the delegate. */
struct delegate *test_open_best(void);

#endif
