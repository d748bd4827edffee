/* SPDX-License-Identifier: Apache-2.0 */
/* row.h - the shared part of the macros that define row functions (map.h, broadcast_row.h). */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_ROW_H
#define DELEGAUGE_KERNELS_CPU_COMMON_ROW_H

#include "kernels_cpu/common/clones.h"

/* The `setup` of a row function that declares nothing before its loop. */
#define NO_SETUP (void)0

#endif
