/* SPDX-License-Identifier: Apache-2.0 */
/* clones.h - plain loops compiled once per kind of CPU; the loader picks the version for the widest vectors that the CPU has.
 *
 * For loops that compilers vectorise well. Products are never fused into sums (-ffp-contract=off) and no sum is reordered, so that
 * every clone gives the same bits and reference kernels may be cloned, too. */
#pragma once

#ifndef __has_feature
#define __has_feature(x) 0
#endif

/* GNU indirect functions make the choice. The two compilers name about the same instruction sets differently, and clang wants
 * static functions whose names no other file uses. The thread sanitizer is not initialized yet when the loader chooses. */
#if !defined(__x86_64__) || !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define CLONES
#elif defined(__clang__)
#define CLONES __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
/* Inlined, a function would be its default copy. */
#define CLONES __attribute__((noinline, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

/* `setup` argument of a row function without declarations. */
#define NO_SETUP (void)0
