/* SPDX-License-Identifier: Apache-2.0 */
/* model_source.h - the source of a model: a file by its name, or a descriptor that the parent process handed down.
 *
 *   PATH                  mapped
 *   fd:FD:OFFSET:SIZE     SIZE bytes of an open file, from OFFSET on
 *   pipe:READ:WRITE:SIZE  SIZE bytes out of a pipe; this process's copy of its writing end, -1 for none, is closed before
 *
 * The last two as TFLite's tools have them. buffer:… is a hardware buffer of Android: ST_USAGE. */
#ifndef DELEGAUGE_CMD_MODEL_SOURCE_H
#define DELEGAUGE_CMD_MODEL_SOURCE_H

#include "lib/model/model.h"

/* Open the model into *out; *data is the memory that model_close leaves for the caller to free, NULL for a mapped file. Both are
 * NULL after a failure: ST_USAGE for a source that is not well formed, else as model_open. */
enum status model_source_open(const char *source, struct model **out, void **data, struct err *err);

#endif
