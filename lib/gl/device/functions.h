/* SPDX-License-Identifier: Apache-2.0 */
/* functions.h - the functions of OpenGL ES, found all at once.
 *
 * libepoxy (1.5.10) finds each at its first call, and each time looks for GLX anew, in a library that nobody installs (it asks for
 * libGLX.so.1, GLVND's is libGLX.so.0) and in one that is not loaded: some 20 system calls a function, 2 of the 6 ms that it takes
 * to prepare a small model from a stored start. */
#pragma once

#include "lib/base/err.h"
#include "lib/gl/device/headers.h"

#ifdef __ANDROID__
#define LIB_EGL    "libEGL.so"
#define LIB_GLES   "libGLESv2.so"
#define GL_INSTALL "the device's own driver is all there is"
#else
#define LIB_EGL    "libEGL.so.1"
#define LIB_GLES   "libGLESv2.so.2"
#define GL_INSTALL "on Debian: apt install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"
#endif
#define GL_NOT_LOADED "no GPU: %s cannot be loaded; " GL_INSTALL

/* To be called before any function of EGL or OpenGL ES: ST_NO_GPU where their libraries cannot be loaded, which names the one. A
 * static program loads none. gl_loader.c is the one without libepoxy. */
enum status gl_functions_begin(struct err *err);

/* Puts what EGL knows of functions.def into epoxy's table; once in a process, later calls do nothing. The context is current. Where
 * EGL does not promise to know functions of the core (before EGL 1.5, which includes EGL_KHR_get_all_proc_addresses), they are left
 * to epoxy. */
void gl_functions_find(EGLDisplay display);
