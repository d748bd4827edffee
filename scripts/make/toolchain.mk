# SPDX-License-Identifier: Apache-2.0
# toolchain.mk - the compiler and its flags, for this machine and for others.

SAN    ?=
# Other machines: CROSS=aarch64-linux-gnu- is a prefix of Debian's cross compilers, STATIC=aarch64-linux-musl a target of zig's
# (programs that need nothing of the system they run on, and load no GPU driver); make android says ANDROID=1.
# SYSROOT is a folder with the libraries of CROSS's machine (make sysroot); without one they are where Debian's packages put them.
# It says nothing of this machine's own programs.
CROSS   ?=
STATIC  ?=
ANDROID ?=
BUILD   ?= build$(CROSS:%-=/%)$(STATIC:%=/%)$(if $(SAN),/san)
ZIG     ?= $(or $(wildcard build/venv/lib/python3*/site-packages/ziglang/zig),zig)
ifneq ($(filter default $(if $(STATIC)$(CROSS),environment),$(origin CC)),)
CC      := $(if $(STATIC),$(ZIG) cc -target $(STATIC),$(CROSS)$(if $(CROSS),gcc,cc))
endif
sysroot_of = $(abspath $(if $(filter undefined,$(origin SYSROOT)),$(wildcard build/sysroot/$(1:%-=%)),$(SYSROOT)))
sysroot := $(if $(CROSS),$(call sysroot_of,$(CROSS)))
machine := $(sysroot:%=--sysroot=%)
OBJCOPY ?= $(CROSS)objcopy

comma   := ,
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers -Werror
OPT     := $(if $(DEBUG),-O0 -g,$(if $(ANDROID),-Os,-O2) -g)
SANFLAG := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# No contraction to fused multiply-adds: random content and reference results are the same on every machine.
BASE    := -std=gnu17 $(WARN) $(OPT) -ffp-contract=off -fPIC -fvisibility=hidden $(machine) $(SANFLAG) $(CFLAGS) -MMD -MP -I. \
           -Ilib/api -I$(BUILD)/gen -pthread

# What no distribution's packages serve brings its own: EGL and OpenGL ES without libepoxy, cJSON from its source, no images.
# CJSON=DIR has cJSON.c and cJSON.h, which no NDK has; KHRONOS=DIR the folders EGL, GLES2, GLES3 and KHR, which an NDK has itself.
ifneq ($(STATIC)$(ANDROID),)
WITH_EPOXY :=
WITH_PNG   :=
WITH_JPEG  :=
WITH_XNNPACK :=
CJSON      ?= build/cjson
KHRONOS    ?= $(if $(STATIC),/usr/include)
endif
WITH_EPOXY ?= 1
CJSON      ?=
KHRONOS    ?=
BASE += $(if $(WITH_EPOXY),,-DWITHOUT_EPOXY) $(if $(KHRONOS),-I$(BUILD)/gen/khronos)
# 32-bit ARM: file sizes, and where a file system's folders go on, need not fit into 32 bits.
BASE += $(if $(filter arm-%,$(CROSS)),-D_FILE_OFFSET_BITS=64)
# Nothing in C unwinds; size counts on a device, but for the CPU kernels.
BASE += $(if $(STATIC),-DSTATIC_BUILD -UNDEBUG -fno-sanitize=undefined) \
  $(if $(ANDROID),-fPIE -fno-unwind-tables -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections)
# The GPU's part there: as small as the compiler can, at the link and together, so that what only one caller has stands there, and
# what two functions share is one. On x86-64 each tail call would have code of its own that restores the registers.
# scripts/android/android_sizes.py takes what was compiled at the link to be the GPU's part.
gpu_size := $(if $(ANDROID),-Oz -g0 -fomit-frame-pointer -flto $(if $(findstring armv7a,$(CC)),-mthumb) \
  $(if $(findstring aarch64,$(CC)),-mcmodel=tiny) $(if $(findstring x86_64,$(CC)),-fno-optimize-sibling-calls))
# Instructions stay in the order in which they are written, so that more functions have the same ones; registers are saved by calls.
# Nothing is taken out of loops: what waits in a register there is saved and loaded elsewhere.
gpu_size_link := $(if $(ANDROID),$(addprefix -Wl$(comma)-mllvm$(comma),-enable-machine-outliner=always -machine-outliner-reruns=2 \
  -homogeneous-prolog-epilog -enable-misched=false -enable-post-misched=false -disable-lsr -disable-machine-licm \
  -enable-merge-functions) $(if $(findstring aarch64,$(CC)),-Wl$(comma)-T$(comma)scripts/android/android_far.lds))
# For an Android of 16 KB pages, too. Relocations are packed, as every Android since API 23 reads them and those since 28 read them
# better: a pointer of a table takes 24 bytes less.
android_ldflags = -pie -s -Wl,--gc-sections -Wl,--icf=safe -Wl,-z,max-page-size=16384 -Wl,-Map=$@.map -llog -ldl \
  -Wl,--pack-dyn-relocs=android$(if $(filter 28 29 3%,$(ANDROID_API)),+relr -Wl$(comma)--use-android-relr-tags) $(gpu_size_link)
LIBS = $(machine) $(SANFLAG) $(LDFLAGS) $(if $(STATIC),-static -s) $(if $(ANDROID),$(android_ldflags)) \
  $(if $(WITH_EPOXY),-lepoxy) $(if $(WITH_XNNPACK),-lXNNPACK -l:libpthreadpool.so.0) -lm -pthread
