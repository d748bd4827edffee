/* SPDX-License-Identifier: Apache-2.0 */
/* model_source.h - opens a model from a file name, or from a descriptor of the parent process.
 *
 *   PATH                  the file, mapped
 *   PATH#NAME             a model in a bundle, mapped alone
 *   fd:FD:OFFSET:SIZE     SIZE bytes of an open file, from OFFSET on
 *   pipe:READ:WRITE:SIZE  SIZE bytes from a pipe; WRITE, its other end in this process or -1, is closed first
 *
 * The latter are TFLite's syntax. buffer:…, a hardware buffer of Android, fails with ST_USAGE. */
#pragma once

#include "lib/model/model.h"

/* Open the model into *out. `weights`: files with its external buffers, as model_open_with has them. *data is memory that the
 * caller frees after model_close, NULL for a mapped file. Both are NULL after a failure: ST_USAGE for a malformed source, else as
 * model_open. */
enum status model_source_open(const char *source, const char *weights, struct model **out, void **data, struct err *err);
