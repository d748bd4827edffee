# SPDX-License-Identifier: Apache-2.0
# android.mk - targets of the Makefile that build for phones.

ANDROID_NDK ?=
# Android 7.0: nothing newer of bionic's is called. From 28 on the programs are a little smaller.
ANDROID_API ?= 24
ANDROID_BUILD ?= build/android
ABI         ?= arm64-v8a
android_arm64-v8a   := aarch64-linux-android
android_armeabi-v7a := armv7a-linux-androideabi
android_x86_64      := x86_64-linux-android
ndk_bin      = $(or $(wildcard $(ANDROID_NDK)/toolchains/llvm/prebuilt/*/bin),$(error ANDROID_NDK=$(ANDROID_NDK): no \
  toolchains/llvm/prebuilt/*/bin there; make android ANDROID_NDK=DIR names an NDK))
ndk_target   = $(or $(android_$(ABI)),$(error ABI=$(ABI): there are arm64-v8a, armeabi-v7a and x86_64))
android: ## build the tools for a phone into build/android/ABI (ANDROID_NDK=DIR; ABI=arm64-v8a, armeabi-v7a, x86_64)
	@$(MAKE) -j$(JOBS) --no-print-directory ANDROID=1 BUILD=$(ANDROID_BUILD)/$(ABI) \
	  CC='$(firstword $(ndk_bin))/$(ndk_target)$(ANDROID_API)-clang' tools

android-dist: android ## pack what make android built (ABI=...) for adb_run --bins=, reproducibly, into build/dist/out
	@VERSION=$(version) CJSON='$(or $(CJSON),build/cjson)' \
	  $(PYTHON) scripts/package/dist.py --android $(ABI) $(ANDROID_BUILD)/$(ABI) build/dist/out

android-check: ## make android without an NDK: what bionic lacks does not link; sizes are held to their limits (ABI=...)
	@MAKE='$(MAKE)' sh scripts/android/android_check.sh $(if $(filter-out default undefined file,$(origin ABI)),$(ABI))
