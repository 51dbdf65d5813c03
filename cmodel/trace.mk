# SPDX-License-Identifier: Apache-2.0
# The trace library and the egret command; included after cmodel/select.mk.
# `make egret` needs a C compiler, ar, awk, make, libyaml-dev, libjansson-dev and zlib1g-dev.

TRACE_SRC := $(sort $(wildcard cmodel/trace/*.c))
TRACE_HDR := $(wildcard cmodel/trace/*.h)
TRACE_OBJ := $(TRACE_SRC:cmodel/trace/%.c=$(BUILD)/obj/trace/%.o)
TRACE_LIB := $(BUILD)/lib/libegret_trace.a


# cmodel/fabric.mk has the rules.
FABRIC_SRC := $(sort $(wildcard cmodel/fabric/*.c))
FABRIC_HDR := $(wildcard cmodel/fabric/*.h)
FABRIC_OBJ := $(FABRIC_SRC:cmodel/fabric/%.c=$(BUILD)/obj/fabric/%.o)
FABRIC_ASAN_OBJ := $(FABRIC_SRC:cmodel/fabric/%.c=$(BUILD)/obj/fabric-asan/%.o)
FABRIC_LIB := $(BUILD)/lib/libegret_fabric.a

CLI_SRC := $(sort $(wildcard cmodel/cli/*.c))
CLI_HDR := $(wildcard cmodel/cli/*.h)
CLI_OBJ := $(CLI_SRC:cmodel/cli/%.c=$(BUILD)/obj/cli/%.o)
EGRET_BIN := $(BUILD)/bin/egret
# Settings are read with libyaml and jansson; whoever links only other parts of the library needs
# neither.
TRACE_LIBS := -lyaml -ljansson -lz -pthread

$(BUILD)/obj/trace/%.o: cmodel/trace/%.c $(SELECT_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -c -o $@ $<

$(TRACE_LIB): $(TRACE_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(TRACE_OBJ)

$(BUILD)/obj/cli/%.o: cmodel/cli/%.c $(SELECT_HDR) $(CLI_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -c -o $@ $<

# -rdynamic lets a selector use the command's copy of the libraries.
$(EGRET_BIN): $(CLI_OBJ) $(FABRIC_LIB) $(TRACE_LIB) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -rdynamic -o $@ $(CLI_OBJ) $(FABRIC_LIB) $(TRACE_LIB) $(SELECT_LIB) $(TRACE_LIBS) -lm -ldl

EGRET_TARGETS += $(EGRET_BIN) $(TRACE_LIB)

# ---- tests ----

TRACE_TESTS := stimulus front cm make loads ordered order order_feed order_causes
TRACE_TESTS += settings import chakra
TRACE_TESTS += schedule collective pattern
TRACE_TESTS += capture capture_schedule
TRACE_TESTS += lockstep
TRACE_TESTS += refusals_goal refusals_logs refusals_csv formats sonic chakra_refusals
TRACE_TESTS += source cut no_memory_import no_memory_make make_limits decision_log
TRACE_TESTS += refusals_cm refusals_settings
TRACE_TESTS += lookup3 identify identify_kinds capture_refusals capture_links
TRACE_TESTS += capture_messages
TRACE_TEST_BIN := $(TRACE_TESTS:%=$(BUILD)/test/trace_%)
# Every fuzz_*.c is a target.
TRACE_FUZZ := $(sort $(patsubst cmodel/test/fuzz_%.c,%,$(wildcard cmodel/test/fuzz_*.c)))
TRACE_FUZZ_BIN := $(TRACE_FUZZ:%=$(BUILD)/test/fuzz_%)
TRACE_FAULTY := $(BUILD)/test/trace_faulty_selector.so
TRACE_SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
TRACE_ASAN_OBJ := $(TRACE_SRC:cmodel/trace/%.c=$(BUILD)/obj/trace-asan/%.o)
CLI_ASAN_OBJ := $(CLI_SRC:cmodel/cli/%.c=$(BUILD)/obj/cli-asan/%.o)
EGRET_ASAN_BIN := $(BUILD)/test/asan/egret
FUZZ_CC ?= clang-14

$(BUILD)/obj/trace-asan/%.o: cmodel/trace/%.c $(SELECT_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) -Icmodel/include -c -o $@ $<

$(BUILD)/obj/cli-asan/%.o: cmodel/cli/%.c $(SELECT_HDR) $(CLI_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) -Icmodel/include -c -o $@ $<

$(EGRET_ASAN_BIN): $(CLI_ASAN_OBJ) $(FABRIC_ASAN_OBJ) $(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ)
	@mkdir -p $(@D)
	$(CC) $(TRACE_SANITIZE) -o $@ $^ $(TRACE_LIBS) -lm -ldl

$(TRACE_TEST_BIN): $(BUILD)/test/trace_%: cmodel/test/trace_%.c $(wildcard cmodel/test/trace_*.h) \
		$(SELECT_TEST_HDR) $(SELECT_HDR) $(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) $(TRACE_TEST_LINK) -Icmodel/include -o $@ $< \
		$(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ) $(TRACE_LIBS) -ldl

# Memory that runs out, at each call in turn.
NO_MEMORY := -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc
$(BUILD)/test/trace_schedule $(BUILD)/test/trace_collective $(BUILD)/test/trace_no_memory_import \
	$(BUILD)/test/trace_capture_messages: TRACE_TEST_LINK := $(NO_MEMORY)
$(BUILD)/test/trace_no_memory_make: TRACE_TEST_LINK := $(NO_MEMORY) \
	-Wl,--wrap=yaml_parser_initialize -Wl,--wrap=yaml_parser_parse
$(BUILD)/test/trace_source: TRACE_TEST_LINK := $(NO_MEMORY) -Wl,--wrap=gzread \
	-Wl,--wrap=gzerror -Wl,--wrap=fstat
$(BUILD)/test/trace_identify: TRACE_TEST_LINK := $(NO_MEMORY) \
	-Wl,--wrap=pthread_create -Wl,--wrap=pthread_mutex_init -Wl,--wrap=ferror
$(BUILD)/test/trace_capture_refusals: TRACE_TEST_LINK := $(NO_MEMORY) \
	-Wl,--wrap=strdup -Wl,--wrap=ferror -Wl,--wrap=open

$(TRACE_FAULTY): cmodel/test/trace_faulty_selector.c $(SELECT_HDR) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -shared -o $@ $< $(SELECT_LIB)

# The command whose system calls fail on demand, under the sanitizers: its error paths leak nothing.
EGRET_FAULTS := $(BUILD)/test/egret_faults
FAULTY_CALLS := malloc calloc realloc strdup fopen open fdopen linkat rename fclose fseeko readlink
$(EGRET_FAULTS): cmodel/test/cli_faults.c $(CLI_ASAN_OBJ) $(FABRIC_ASAN_OBJ) $(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) $(FAULTY_CALLS:%=-Wl,--wrap=%) -o $@ $^ $(TRACE_LIBS) -lm -ldl

# Without a clang that has libFuzzer nothing is built and fuzz_run.sh says so. The libraries are
# compiled once for all targets.
FUZZ_FLAGS := $(EGRET_WARN) -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all -Icmodel/include -I$(BUILD)/gen
FUZZ_OBJ := $(TRACE_SRC:cmodel/%.c=$(BUILD)/obj/fuzz/%.o) $(SELECT_SRC:cmodel/%.c=$(BUILD)/obj/fuzz/%.o)
FUZZ_HAVE := $(BUILD)/obj/fuzz/have

# Looked for each time: what could not be built can be once clang is there.
$(FUZZ_HAVE): FORCE
	@mkdir -p $(@D)
	@if echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		$(FUZZ_CC) -fsanitize=fuzzer -x c - -o $@.probe 2> /dev/null; then \
		rm -f $@.probe; have=yes; else have=no; fi; \
		echo $$have | cmp -s - $@ || echo $$have > $@

$(BUILD)/obj/fuzz/%.o: cmodel/%.c $(SELECT_HDR) $(TRACE_HDR) $(BUILD)/gen/egret_configs.h $(FUZZ_HAVE)
	@mkdir -p $(@D)
	@if grep -q yes $(FUZZ_HAVE); then $(FUZZ_CC) $(FUZZ_FLAGS) -c -o $@ $<; else : > $@; fi

$(TRACE_FUZZ_BIN): $(BUILD)/test/fuzz_%: cmodel/test/fuzz_%.c cmodel/test/fuzz_import.h $(FUZZ_OBJ)
	@mkdir -p $(@D)
	@if grep -q yes $(FUZZ_HAVE); then \
		$(FUZZ_CC) $(EGRET_WARN) -O1 -g -fsanitize=fuzzer,address,undefined \
			-fno-sanitize-recover=all -Icmodel/include -I$(BUILD)/gen -o $@ $< $(FUZZ_OBJ) \
			$(TRACE_LIBS); \
	fi

TEST_LISTS += cmodel/test/trace_tests.list
TEST_DEPS += $(EGRET_BIN) $(EGRET_ASAN_BIN) $(TRACE_TEST_BIN) $(TRACE_FUZZ_BIN) $(TRACE_FAULTY) \
	$(EGRET_FAULTS)

# ---- bench of the readers: needs Python ----

.PHONY: bench-trace
bench-trace: $(EGRET_BIN)
	@scripts/bench_trace $<

BENCH_TARGETS += bench-trace

# ---- make fuzz: a long run; make test has a short one ----

FUZZ_RUNS ?= 10000000
.PHONY: fuzz-run
fuzz-run: $(TRACE_FUZZ_BIN)
	@scripts/fuzz '$(FUZZ_RUNS)' $(TRACE_FUZZ)
