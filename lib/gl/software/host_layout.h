/* SPDX-License-Identifier: Apache-2.0 */
/* host_layout.h - a tensor's elements between host order and the slices that a value has on the device, moved by the CPU.
 *
 * Where the device is the CPU (policy.host_layout) this takes a tenth of what a dispatch takes, and no program runs for it.
 * Plain memory on both sides, no GL. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What becomes of an element. */
enum gl_layout_kind {
    GL_LAYOUT_NONE,   /* the CPU does not move this value */
    GL_LAYOUT_WORDS,  /* 32 bits, as they are */
    GL_LAYOUT_HALVES, /* a float, on the device a half */
    GL_LAYOUT_BYTES,  /* 8 bits, as they are */
    GL_LAYOUT_KINDS
};

/* Vectors of four channels; pixels of a row lie one behind the other. Lanes beyond the last channel are 0. */
struct gl_layout {
    uint64_t offset;                    /* bytes, of the first vector in its buffer */
    uint64_t pitch_b, pitch_s, pitch_h; /* vectors from a batch, a slice of channels, a row to the next */
    uint32_t b, h, w, c;
    uint32_t kind;             /* enum gl_layout_kind */
    uint32_t block_h, block_w; /* pixels on the host of which one here has the channels, one behind the other; 1 but for
                                * what is read */
    uint32_t unused;
};

/* Bytes of an element on the host, and of four channels on the device. */
uint32_t gl_layout_element(enum gl_layout_kind kind);
uint32_t gl_layout_vector(enum gl_layout_kind kind);

/* How many bytes from `offset` on the value spans, and how many its elements are in host order. False: it says nothing, or no
 * buffer is so long. */
bool gl_layout_span(const struct gl_layout *l, uint64_t *span, uint64_t *bytes);

/* To the device's memory, from its first vector on: every element of `dense`. And back. */
void gl_layout_write(const struct gl_layout *l, const void *dense, void *device);
void gl_layout_read(const struct gl_layout *l, const void *device, void *dense);
