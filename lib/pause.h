/* SPDX-License-Identifier: Apache-2.0 */
/* pause.h - what a thread does between two looks at what it spins for. */
#ifndef DELEGAUGE_PAUSE_H
#define DELEGAUGE_PAUSE_H

static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__ || (defined __arm__ && __ARM_ARCH >= 7)
    __asm__ volatile("yield");
#endif
}

#endif
