/* SPDX-License-Identifier: Apache-2.0 */
/* row.h - NO_SETUP, shared by the macros that define row functions (map.h, broadcast_row.h). */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_ROW_H
#define DELEGAUGE_KERNELS_CPU_COMMON_ROW_H

#include "kernels_cpu/common/clones.h"

/* `setup` argument of a row function without declarations. */
#define NO_SETUP (void)0

#endif
