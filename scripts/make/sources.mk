# SPDX-License-Identifier: Apache-2.0
# sources.mk - the source files of each program and library, and the objects made of them.

# What tests share: lib/testing/test.c and every test_X.c.
helper_src := $(wildcard lib/testing/test.c $(addsuffix /testing/test_*.c,lib lib/gl cmd))
# libdelegauge_gpu.so: its own files, and functions.c without libepoxy.
plugin_src := $(filter-out %_test.c,$(wildcard lib/tflite/plugin*.c)) lib/gl/device/gl_loader.c
# One or the other.
xnnpack_with    := $(addprefix lib/delegates/xnnpack/xnnpack_,net.c nodes.c run.c split.c)
xnnpack_without := lib/delegates/xnnpack/xnnpack_none.c
xnnpack_src     := $(if $(WITH_XNNPACK),$(xnnpack_with),$(xnnpack_without))
# Likewise: no driver of Android compiles late.
unused_helpers := lib/gl/software/helpers$(if $(ANDROID),,_none).c
lib_src    := $(filter-out $(unused_helpers) %_test.c %_fuzz.c $(helper_src) $(plugin_src) $(xnnpack_with) $(xnnpack_without) \
  $(if $(WITH_EPOXY),,lib/gl/device/functions.c),\
  $(wildcard lib/*/*.c lib/gl/*/*.c lib/delegates/*/*.c schema/*.c)) $(if $(WITH_EPOXY),,lib/gl/device/gl_loader.c)
kernel_src := $(filter-out %_test.c,$(wildcard kernels_cpu/*/*.c))
glk_src    := $(wildcard kernels_gl/*/*.c)
comp_src   := $(wildcard kernels_gl/*/*.comp)
rules_src  := $(wildcard schema/rules/*.rules)
test_src   := $(wildcard schema/*_test.c $(addsuffix /*_test.c,lib/* lib/gl/* lib/delegates/* kernels_cpu/* cmd/* bench/*))
case_src   := $(wildcard bench/cases/*.c)
# What writes files of models, for tests, too.
model_writers := $(addprefix bench/models/,builder.c bundle_writer.c language.c)
tool_names := benchmark_model benchmark_compare inference_diff op_coverage eval_classification eval_detection \
  eval_segmentation
mains      := $(patsubst %.c,%,$(wildcard $(addprefix cmd/*/,$(addsuffix .c,$(tool_names)))))

obj       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
lib_a    := $(BUILD)/libdelegauge.a
lib_obj  := $(call obj,$(lib_src) $(kernel_src) $(glk_src)) $(BUILD)/obj/gen/shaders.o
bins     := $(addprefix $(BUILD)/,$(tool_names))
tests    := $(patsubst %.c,$(BUILD)/%,$(test_src))
# Those that make check runs: one program has nearly all of them, and a link by the name of each. What takes a function of the C
# library's place, or starts itself again, is a program of its own there, too.
alone    := lib/gl/device/context_test lib/gl/device/driver_cache_test lib/runtime/host_test lib/runtime/runtime_delegate_test
together := $(filter-out $(alone),$(basename $(test_src)))
units    := $(addprefix $(BUILD)/units/,$(basename $(test_src)))
# Sanitizers go with their program.
plugin   := $(if $(SAN)$(STATIC)$(ANDROID),,$(BUILD)/libdelegauge_gpu.so)
cmd_obj  := $(call obj,$(filter-out $(addsuffix .c,$(mains)) %_test.c %_fuzz.c $(helper_src),\
  $(wildcard cmd/*/*.c))) $(if $(CJSON),$(BUILD)/obj/gen/cJSON.o)
