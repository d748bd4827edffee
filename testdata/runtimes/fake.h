/* SPDX-License-Identifier: Apache-2.0 */
/* fake.h - common code of the libraries beside it: they add up all inputs, FLOAT32 of one shape, and err as the environment says.
 *
 *   FAKE_SHAPE=1,4    shape of every input and of the output       FAKE_INPUTS=2   number of inputs
 *   FAKE_DO=crash@Invoke,...   crash, hang, exit, throw or fail in that function; or one of the words below
 *
 *   FAKE_CACHE=FILE   a run writes that file
 *
 *   node@2    0.5 too much, unless LITERT_GPU_DEBUG_EXCLUDE_NODES has that node
 *   wrong     0.5 too much                         load   more by the number of the process
 *   short     the output has 4 bytes               invalid   an error of validation is printed, and the run succeeds
 *   early     an error of validation is printed while the model is compiled, and nothing fails
 *   drop      options of the accelerator are dropped, with a line in the log
 *   masks     no run where nodes are masked
 *   blind     masks of nodes are ignored
 *   cpu       the accelerator takes nothing        none   there is no such accelerator
 *   leak      each run loses 64 bytes */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { MOST = 8, MOST_ELEMENTS = 1 << 16 };

static float inputs[MOST][MOST_ELEMENTS], output[MOST_ELEMENTS];

static inline bool does(const char *word)
{
    const char *list = getenv("FAKE_DO"), *at = list ? strstr(list, word) : NULL;

    return at && (at == list || at[-1] == ',') && (!at[strlen(word)] || at[strlen(word)] == ',');
}

static inline int n_inputs(void)
{
    return getenv("FAKE_INPUTS") ? atoi(getenv("FAKE_INPUTS")) : 2;
}

static inline int shape(int32_t dim[MOST])
{
    const char *text = getenv("FAKE_SHAPE") ? getenv("FAKE_SHAPE") : "1,4";
    int rank = 0;

    for (char *end; *text && rank < MOST; text = end + (*end == ','))
        dim[rank++] = (int32_t)strtol(text, &end, 10);
    return rank;
}

static inline size_t elements(void)
{
    int32_t dim[MOST];
    size_t n = 1;

    for (int i = shape(dim); i; i--)
        n *= (size_t)dim[i - 1];
    return n;
}

/* At the begin of every function: true if it is to fail. */
static inline bool at(const char *function)
{
    static const char *const how[] = {"crash", "hang", "exit", "throw", "fail"};

    for (int i = 0; i < 5; i++) {
        char word[128];

        snprintf(word, sizeof word, "%s@%s", how[i], function);
        if (!does(word))
            continue;
        fprintf(stderr, "this is the end of %s\n", function);
        if (i == 0)
            *(volatile int *)NULL = 0;
        while (i == 1)
            sleep(1);
        if (i == 2)
            exit(3);
        if (i == 3) {
            fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n");
            abort();
        }
        return true;
    }
    return false;
}

static inline bool is_masked(int node)
{
    const char *list = getenv("LITERT_GPU_DEBUG_EXCLUDE_NODES");

    for (char *end; list && *list; list = *end ? end + 1 : NULL)
        if (strtol(list, &end, 10) == node)
            return true;
    return false;
}

/* One of its nodes is, and is not masked. */
static inline bool node_is_wrong(void)
{
    for (int i = 0; i < 10; i++) {
        const char word[] = {'n', 'o', 'd', 'e', '@', (char)('0' + i), 0};

        if (does(word) && !is_masked(i))
            return true;
    }
    return false;
}

static inline void compute(void)
{
    static char *lost;

    for (size_t i = 0; i < elements(); i++) {
        output[i] = does("wrong") || node_is_wrong() ? 0.5f : does("load") ? 1e-6f * (float)getpid() : 0;
        for (int k = 0; k < n_inputs(); k++)
            output[i] += inputs[k][i];
    }
    if (does("leak"))
        *(char *volatile *)&lost = malloc(64);
    if (getenv("FAKE_CACHE"))
        fclose(fopen(getenv("FAKE_CACHE"), "w"));
    if (does("invalid"))
        fprintf(stderr, "Validation error: the shader is no shader\n");
}
