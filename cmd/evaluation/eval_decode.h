/* SPDX-License-Identifier: Apache-2.0 */
/* eval_decode.h - pictures as inputs, read, decoded and preprocessed by other threads ahead of the one that runs them.
 *
 *   st = decoder_open(&d, e, order, n, n_threads, &err);
 *   for (k = 0; k < n; k++) {
 *       const struct decoded *one = decoder_next(d);       waits for picture order[k]
 *       …                                                  one->st, one->input
 *   }
 *   decoder_close(d);
 *
 * A few pictures are ahead at most, so that memory does not grow with the data set. */
#pragma once

#include "cmd/evaluation/evaluation.h"

/* A picture, until decoder_next is called again. */
struct decoded {
    struct tensor input;    /* with its content, if st is ST_OK */
    size_t cut;             /* numbers that a quantized input clamped */
    uint32_t width, height; /* of the file; 0: it has the input itself */
    void *more;             /* of the task's read_more */
    double us;              /* for reading, decoding and preprocessing */
    enum status st;
    struct err err; /* of st */
};

/* Read the file at `path` into out->input, which has data; set cut, width and height. ST_USAGE, ST_IO and ST_UNSUPPORTED are about
 * the picture; ST_NOMEM. Any thread may call it. */
enum status eval_read(const struct evaluation *e, const char *path, struct decoded *out, struct err *err);

struct decoder;

/* Make a decoder of pictures order[n] of e->pictures, which it borrows, with n_threads threads; 0: decoder_next does the work.
 * Fails with ST_NOMEM, also if no thread can be made. */
enum status decoder_open(struct decoder **out, const struct evaluation *e, const uint32_t *order, uint32_t n, uint32_t n_threads,
                         struct err *err);

/* Return the next picture; at most n times. */
const struct decoded *decoder_next(struct decoder *d);

/* Stop the threads, and free all; accepts NULL. */
void decoder_close(struct decoder *d);

/* Return how many threads --decode_threads means: for -1 the processors that inference leaves, at most four. */
uint32_t decoder_threads(const struct eval_flags *f);
