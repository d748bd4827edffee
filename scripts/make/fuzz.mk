# SPDX-License-Identifier: Apache-2.0
# fuzz.mk - targets of the Makefile that fuzz what reads files.

# Built by themselves, these replay files.
$(BUILD)/lib/%_fuzz: $(BUILD)/obj/lib/%_fuzz.o $(if $(LIBFUZZER),,$(BUILD)/obj/lib/testing/replay_fuzz.o) $(lib_a)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(if $(LIBFUZZER),-fsanitize=fuzzer) -o $@ $^ $(LIBS)

$(BUILD)/cmd/%_fuzz: $(BUILD)/obj/cmd/%_fuzz.o $(if $(LIBFUZZER),,$(BUILD)/obj/lib/testing/replay_fuzz.o) $(cmd_obj) $(lib_a)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(if $(LIBFUZZER),-fsanitize=fuzzer) -o $@ $^ $(LIBS) $(TOOL_LIBS)

FUZZ ?= model
fuzz_targets := $(patsubst %,$(BUILD)/lib/%_fuzz,model/model session/session base/store tensor/npy rules/rules eval/coco) $(BUILD)/cmd/input/image_fuzz
fuzz_target = $(filter %/$(FUZZ)_fuzz,$(patsubst $(BUILD)/%,build/fuzz/%,$(fuzz_targets)))
fuzz: ## fuzz the model loader (FUZZ=session, store, npy, rules, coco, image: other readers) with clang's libFuzzer (FUZZ_SECONDS=60)
	@$(MAKE) -j$(JOBS) --no-print-directory CC=clang BUILD=build/fuzz LIBFUZZER=1 SAN=fuzzer-no-link,address,undefined \
	  $(fuzz_target) $(if $(filter session,$(FUZZ)),build/fuzz/opcheck)
	@mkdir -p build/fuzz/corpus/$(FUZZ) build/fuzz/export
	$(if $(filter session,$(FUZZ)),build/fuzz/opcheck --export=build/fuzz/export >/dev/null)
	ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024 $(fuzz_target) -rss_limit_mb=4096 -timeout=30 \
	  -max_total_time=$(or $(FUZZ_SECONDS),60) -artifact_prefix=build/fuzz/ build/fuzz/corpus/$(FUZZ) \
	  testdata/fuzz $(wildcard testdata/$(FUZZ) testdata/$(FUZZ)s schema/$(FUZZ)) build/fuzz/export

fuzz-replay: $(BUILD)/opcheck $(fuzz_targets) ## the corpus once through all fuzz targets
	@sh scripts/test/fuzz_replay.sh $(BUILD)
