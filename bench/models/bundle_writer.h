/* SPDX-License-Identifier: Apache-2.0 */
/* bundle_writer.h - writes .task and .litertlm files, for tests: whole, sparse, or with ZIP64 records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* Section types of a .litertlm. */
enum { PART_MODEL = 3, PART_TOKENIZER = 4, PART_LLM_METADATA = 5, PART_WEIGHTS = 7 };

struct bundle_part {
    const char *name;       /* of the file in a .task */
    uint8_t type;           /* PART_*, of a .litertlm */
    const char *model_type; /* "tf_lite_prefill_decode"; NULL: none */
    const char *backend;    /* backend_constraint; NULL: none */
    const void *data;       /* NULL: a hole */
    uint64_t bytes;
};

/* Write a stored archive with its files at multiples of 4 bytes, as MediaPipe's packer does. `zip64`: with the records of archives
 * beyond 4 GiB, which are used anyway where they are needed. Fails with ST_IO, ST_NOMEM. */
enum status bundle_write_task(const char *path, const struct bundle_part *parts, uint32_t n, bool zip64, struct err *err);

/* Write a model with such an archive behind it, as TensorFlow Lite's metadata writer does. Fails likewise. */
enum status bundle_write_model(const char *path, const void *model, size_t bytes, const struct bundle_part *parts, uint32_t n,
                               struct err *err);

/* Write a LiteRT-LM file of version 1.7 with its sections at multiples of 16 KiB. Fails with ST_IO, ST_NOMEM. */
enum status bundle_write_litertlm(const char *path, const struct bundle_part *parts, uint32_t n, struct err *err);
