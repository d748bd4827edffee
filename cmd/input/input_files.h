/* SPDX-License-Identifier: Apache-2.0 */
/* input_files.h - the content of an input from a file: raw bytes, a .npy array or an image.
 *
 * The end of the path tells which: .npy (lib/tensor/npy.h), .png .jpg .jpeg .bmp .ppm .pgm .pnm (image_input.h), anything else is
 * raw bytes, as many as the tensor has; a STRING input takes strings that each end with a NUL, or a .npy array of bytes ("S12").
 *
 * An array must have the input's shape and type. Two other types are taken: 8-bit integers for INT4, UINT4 and INT2; and
 * FLOAT32 for a quantized input, which gets the numbers by its scale and zero point. */
#ifndef DELEGAUGE_CMD_INPUT_FILES_H
#define DELEGAUGE_CMD_INPUT_FILES_H

#include <limits.h>

#include "cmd/input/image_input.h"
#include "lib/session/session.h"

/* The result of reading a file, for one line of text. */
struct input_read {
    char text[IMAGE_TEXT_SIZE]; /* conversion of an image (image_to_tensor), or "array of FLOAT32, quantized"; "" for bytes as they
                                   are */
    size_t cut;                 /* number of elements beyond the range of a quantized type */
};

/* Fill input i of a prepared session. ST_USAGE, beginning with the path and with both sizes, if the file does not fit. */
enum status input_file_fill(struct session *s, uint32_t i, const char *path, const struct image_options *images,
                            struct input_read *out, struct err *err);

/* Store in dim the shape of the .npy array at `path` if t can take it: the array has t's rank, and differs from t's shape only in
 * dimensions for which t's signature has -1. Returns false for every other file; input_file_fill reports unreadable ones. */
bool input_file_reshapes(const char *path, const struct tensor *t, int32_t dim[TENSOR_MAX_RANK]);

/* Write the path of input i in a folder of --input_dir: input_<i>.bin, .npy or an image, whichever is there; the first of these if
 * none is. ST_USAGE if there are several. */
enum status input_file_in_dir(const char *dir, uint32_t i, char path[PATH_MAX], struct err *err);

#endif
