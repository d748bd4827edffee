/* SPDX-License-Identifier: Apache-2.0 */
/* input_files.h - fills an input from a file: raw bytes, a .npy array or an image.
 *
 * The path's end selects the format: .npy (lib/tensor/npy.h), .png .jpg .jpeg .bmp .ppm .pgm .pnm (image_input.h), else raw bytes,
 * as many as the tensor has. A STRING input reads strings ended by NUL, or a .npy array of bytes ("S12").
 *
 * An array must have the input's shape and type, with two exceptions: 8-bit integers for INT4, UINT4 and INT2, and FLOAT32 for a
 * quantized input, converted by scale and zero point. */
#pragma once

#include <limits.h>

#include "cmd/input/image_input.h"
#include "lib/session/session.h"

/* Result of reading a file, for a line of text. */
struct input_read {
    char text[IMAGE_TEXT_SIZE]; /* conversion of an image (image_to_tensor), or "array of FLOAT32, quantized"; "" without a
                                   conversion */
    size_t cut;                 /* elements beyond the range of a quantized type */
};

/* Fill input i of a prepared session with a sample of the file: of an array of several, `sample` modulo their number; other files
 * have one. Fails with ST_USAGE, beginning with the path and giving both sizes, if the file does not fit. */
enum status input_file_fill(struct session *s, uint32_t i, const char *path, uint64_t sample, const struct image_options *images,
                            struct input_read *out, struct err *err);

/* Fill input `t`, which has data and is no STRING, with a sample of the .npy array at `path`. Fails as input_file_fill does. */
enum status input_array_fill(const struct tensor *t, const char *path, uint64_t sample, struct input_read *out, struct err *err);

/* Return the number of samples in the file: of an array that has one dimension more than t in front of the same ones, or another
 * first one where t has 1, that dimension; 1 for all other files. */
uint32_t input_file_samples(const char *path, const struct tensor *t);

/* Store the shape of the .npy array at `path` in dim if t can be resized to it: equal rank, and different only in dimensions that
 * are -1 in t's signature. Returns false for all other files; input_file_fill reports unreadable ones. */
bool input_file_reshapes(const char *path, const struct tensor *t, int32_t dim[TENSOR_MAX_RANK]);

/* Find the file of input i in a folder of --input_dir, input_<i>.bin, .npy or an image; if none exists, path is that of the first.
 * Fails with ST_USAGE if there are several. */
enum status input_file_in_dir(const char *dir, uint32_t i, char path[PATH_MAX], struct err *err);
