/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu.h - for tests that need a GPU: skipped where there is none, failed where REQUIRE_GPU=1 demands one; and a census of what
 * GL holds. */
#pragma once

#include "lib/gl/device/context.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/testing/test.h"

/* The delegate with these options, its context current. Ends the test where there is no GPU (test_no_gpu) or where
 * opening fails otherwise; else the caller closes it. */
struct delegate *test_open_gpu(struct gpu_options o);

/* A context on the best device, current. Ends the test as above; else the caller closes it. */
struct gl_context *test_open_context(void);

/* How many buffers, textures, shaders and programs the current context holds, by asking for every name below 4096, far more
 * than a test makes (GL gives the lowest names first). Equal counts before and after: nothing leaked. Clears pending GL errors. */
uint32_t test_gl_objects(void);

/* Those of them that hold data: buffers and textures. */
uint32_t test_gl_stores(void);

/* Runs a compute shader made of n texts in that many groups. The buffer at binding 0 begins as a copy of `data`, which has its
 * content then. Ends the test where the driver refuses the text or errs. */
void test_run_shader(const char *const *texts, GLsizei n, GLuint groups, void *data, size_t bytes);
