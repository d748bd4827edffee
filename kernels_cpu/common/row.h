/* SPDX-License-Identifier: Apache-2.0 */
/* row.h - NO_SETUP, shared by the macros that define row functions (map.h, broadcast_row.h). */
#pragma once

#include "kernels_cpu/common/clones.h"

/* `setup` argument of a row function without declarations. */
#define NO_SETUP (void)0
