/* SPDX-License-Identifier: Apache-2.0 */
/* npy.h - reading and writing of NumPy's .npy files.
 *
 * Source: NumPy's "NPY format" specification (numpy.lib.format): the bytes 93 "NUMPY", version, length of the header, the header,
 * which is a Python dictionary of 'descr', 'fortran_order' and 'shape', then the elements. Versions 1, 2 and 3 are read, in C and
 * in Fortran order, of either byte order; version 1 in C order, little-endian, is written.
 *
 * All NumPy types with a tensor type are supported. Tensor types without a NumPy type are stored as follows: BFLOAT16 as void of
 * two bytes ("V2", as ml_dtypes does), INT4, UINT4 and INT2 as one byte per element, strings as bytes of a fixed length, padded
 * with zeros ("S12"). */
#pragma once

#include "lib/tensor/tensor.h"

/* A longer header than this is refused; NumPy itself reads no more than 10000 bytes unless it is told to. */
#define NPY_MAX_HEADER 65536

/* The content of a file: its header, checked against the length of the file, and a pointer to the elements. */
struct npy {
    enum tensor_type type; /* TYPE_STRING for "S": item_bytes characters per element, without offsets */
    char descr[16];        /* as the file spells it: "<f4" */
    uint32_t item_bytes;   /* bytes of one element; never 0 */
    uint32_t number_bytes; /* bytes of one number, to swap byte order: half of item_bytes for complex types */
    bool swapped;          /* big-endian */
    bool fortran;          /* the first dimension is the fastest one */
    int32_t rank, dim[TENSOR_MAX_RANK];
    size_t elems;
    const uint8_t *data; /* [elems * item_bytes], within the file */
};

/* Parse the header of a .npy file in memory, which is borrowed. Fails with ST_USAGE, with a message that begins with `what`, if it
 * is no .npy file, has a type or rank that no tensor has, or is not exactly as long as its header says. */
enum status npy_parse(const void *file, size_t bytes, const char *what, struct npy *out, struct err *err);

/* Write the elements, in C order and little-endian, to out[elems * item_bytes]. */
void npy_copy(const struct npy *a, void *out);

/* Copy the elements to t->data, which must be allocated. Shape and type must be equal; INT4, UINT4 and INT2 take bytes of the same
 * signedness. Not for STRING tensors. Fails with ST_USAGE, with the prefix `what`, if shapes or types differ or a value does not
 * fit; the data then stays unchanged. */
enum status npy_to_tensor(const struct npy *a, const char *what, const struct tensor *t, struct err *err);

/* Write the tensor to a file, whole or not at all (file_write.h). Fails with ST_UNSUPPORTED for RESOURCE, VARIANT and 8-bit floats,
 * and for strings that end in a zero, which the format would lose; else as file_write does. */
enum status npy_write(const char *path, const struct tensor *t, struct err *err);
