/* SPDX-License-Identifier: Apache-2.0 */
/* functions.h - the functions of OpenGL ES, found all at once.
 *
 * libepoxy (1.5.10) finds each at its first call, and each time looks for GLX anew, in a library that nobody installs (it asks for
 * libGLX.so.1, GLVND's is libGLX.so.0) and in one that is not loaded: some 20 system calls a function, 2 of the 6 ms that it takes
 * to prepare a small model from a stored start. */
#ifndef DELEGAUGE_GL_FUNCTIONS_H
#define DELEGAUGE_GL_FUNCTIONS_H

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "../err.h"

/* To be called before any function of EGL or OpenGL ES. With libepoxy always ST_OK; own_functions.c has what stands for it in
 * libdelegauge_gpu.so, and fails with ST_NO_GPU where that finds no libEGL. */
enum status gl_functions_begin(struct err *err);

/* Puts what EGL knows of functions.def into epoxy's table; once in a process, later calls do nothing. The context is current. Where
 * EGL does not promise to know functions of the core (before EGL 1.5, which includes EGL_KHR_get_all_proc_addresses), they are left
 * to epoxy. */
void gl_functions_find(EGLDisplay display);

#endif
