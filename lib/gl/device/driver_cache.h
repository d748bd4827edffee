/* SPDX-License-Identifier: Apache-2.0 */
/* driver_cache.h - a driver's own cache, moved into the folder of stored starts.
 *
 * The binary of a program does not hold all that a driver makes of it: llvmpipe's machine code is made when a program first runs,
 * and only Mesa's cache on the disk keeps that; without that cache Mesa gives no binaries either. Mesa reads its place from the
 * environment (docs.mesa3d.org/envvars.html), when the first display is opened. Other drivers do not know these variables; with
 * them program binaries are advised if starts matter. EGL_ANDROID_blob_cache, by which an application could hold such a cache
 * itself, is no way: Android keeps it from applications, its own EGL uses it for all of them (docs.imgtec.com,
 * EGL_ANDROID_blob_cache), and Mesa on Linux does not offer it (22.3.6).
 *
 * Mesa does not take damaged files there: each has a checksum. It compiles their programs anew, and says nothing; the file stays as
 * it is, so that every later start compiles its program, too (22.3.6: 0.5 s instead of 0.05 of processor time for
 * mobilenet_v1_0.25_224, the same results). Only the format of the files would tell whether that happened, and Mesa may change it:
 * nothing looks. Removing the folder mends it. */
#pragma once

#include <stdint.h>

#include "lib/delegate/delegate.h"

/* Ask for the variables that move Mesa's cache into a folder of `dir` and bound it to max_mb megabytes (below 1, or if it has a
 * bound: as it is), even if it is off otherwise: the user wants things kept in `dir`. Asks for none if there is no such folder or
 * no room in it for the cache's index, and if the user has set the place of the cache himself: then it stays there, on or off. */
void gl_driver_cache(const char *dir, int32_t max_mb, const struct delegate_environment *env);
