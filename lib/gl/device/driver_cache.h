/* SPDX-License-Identifier: Apache-2.0 */
/* driver_cache.h - a driver's own cache, moved into the folder of stored starts.
 *
 * The binary of a program does not hold all that a driver makes of it: llvmpipe's machine code is made when a program first runs,
 * and only Mesa's cache on the disk keeps that; without that cache Mesa gives no binaries either. Mesa reads from the environment
 * where it lies (docs.mesa3d.org/envvars.html), when the first display is opened. Other drivers do not know these variables; with
 * them program binaries are what is advised where starts matter. EGL_ANDROID_blob_cache, by which an application could hold such a
 * cache itself, is no way: Android keeps it from applications, its own EGL uses it for all of them (docs.imgtec.com,
 * EGL_ANDROID_blob_cache), and Mesa on Linux does not offer it (22.3.6).
 *
 * What is damaged there Mesa does not take: each file has a checksum. It compiles that anew, and says nothing; the file stays as it
 * is, so that every later start compiles it, too (22.3.6: 0.5 s instead of 0.05 of processor time for mobilenet_v1_0.25_224, the
 * same results). Whether that happened the format of its files alone would tell, which is Mesa's to change: nothing looks. Removing
 * the folder mends it. */
#ifndef DELEGAUGE_GL_DRIVER_CACHE_H
#define DELEGAUGE_GL_DRIVER_CACHE_H

#include <stdint.h>

#include "lib/delegate/delegate.h"

/* Asks for the variables that move Mesa's cache into a folder of `dir` and bound it to max_mb megabytes (below 1, or where it has a
 * bound: as it is), even where it is off otherwise: `dir` is where the user wants things kept. Asks for none where there is no such
 * folder or no room in it for the cache's index, and where the user has said himself where the cache lies: then it stays there, on
 * or off. */
void gl_driver_cache(const char *dir, int32_t max_mb, const struct delegate_environment *env);

#endif
