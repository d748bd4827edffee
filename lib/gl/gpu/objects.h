/* SPDX-License-Identifier: Apache-2.0 */
/* objects.h - the GL objects that this process has made and not deleted, counted at the functions that make and delete them. */
#pragma once

#include "lib/delegate/delegate.h"

/* Add "GL buffers", "GL textures" and so on, and count from the first call on: the delegate calls gl_objects_watch for each device
 * that it opens. What was made before is not counted. */
void gl_objects_held(struct delegate_facts *to);

/* Put counters before GL's functions, if gl_objects_held was called; a context is current, and its functions were found. */
void gl_objects_watch(void);
