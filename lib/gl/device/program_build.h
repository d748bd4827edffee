/* SPDX-License-Identifier: Apache-2.0 */
/* program_build.h - compiles and links programs, in parallel if the driver can, and gives up on a compiler that does not end. */
#pragma once

#include "lib/gl/device/context.h"

struct gl_building {
    struct gl_context *context; /* that is current, whose thread compiles (gl_aside); NULL: the calling thread does */
    struct gl_helpers *helpers; /* of the context, or NULL */
    bool parallel;              /* KHR_parallel_shader_compile is there: all the driver's threads are asked for */
    bool keep;                  /* the driver is to keep what gl_binaries_save asks for */
    const char *dump_dir; /* where each source is written before, as LABEL-HASH.comp with the first 12 digits of the hash: the same
                             file in every run. NULL: nowhere */
};

/* Compiles and links the programs of the set that are not built yet; the context is current. A program whose compilation does not
 * end in time counts as refused. ST_IO: a source cannot be written. ST_FAILED: the driver refuses some programs, each of which then
 * has its `refusal`; the others are built. The message is the first refusal: the driver's log with the source line it names. */
enum status gl_programs_build(struct gl_program_set *set, const struct gl_building *how, struct err *err);
