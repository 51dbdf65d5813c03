# SPDX-License-Identifier: Apache-2.0
# The select library: rules for the top Makefile. Needs a C compiler, ar, awk and make only.
# Everything is built under $(BUILD).

CC ?= cc
CXX ?= c++
AR ?= ar
AWK ?= awk
BUILD ?= build

EGRET_WARN := -std=c11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror
# The vectoriser makes the table hash slower (docs/spec/hash.md); -fPIC because selectors are shared
# objects that link this library.
EGRET_OPT ?= -O3 -fno-tree-vectorize
CFLAGS_EGRET := $(EGRET_WARN) $(EGRET_OPT) -g -fPIC -fno-semantic-interposition -Icmodel/include

SELECT_SRC := $(sort $(wildcard cmodel/select/*.c))
SELECT_HDR := $(wildcard cmodel/include/egret/*.h) $(wildcard cmodel/select/*.h)
SELECT_OBJ := $(SELECT_SRC:cmodel/select/%.c=$(BUILD)/obj/select/%.o)
SELECT_LIB := $(BUILD)/lib/libegret_select.a

$(BUILD)/gen/egret_configs.h: configs.mk scripts/gen_configs.awk
	@mkdir -p $(@D)
	$(AWK) -f scripts/gen_configs.awk configs.mk > $@.tmp && mv $@.tmp $@

$(BUILD)/obj/select/%.o: cmodel/select/%.c $(SELECT_HDR) $(BUILD)/gen/egret_configs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -I$(BUILD)/gen -c -o $@ $<

$(SELECT_LIB): $(SELECT_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(SELECT_OBJ)

# ---- tests ----

SELECT_TESTS := vectors hash model rotation draw control regs timing api fixed entropy spray_random \
	load quality class flowlet flowlet_state oracle refusals bounds explain words \
	control_large faults faults_state faults_bits groups steps counters time precedence ticks
SELECT_TEST_BIN := $(SELECT_TESTS:%=$(BUILD)/test/select_%)
SELECT_ASAN_BIN := $(SELECT_TESTS:%=$(BUILD)/test/asan/select_%)
# The test that takes the library's memory away.
SELECT_WRAP_api := -Wl,--wrap=calloc
SELECT_TEST_HDR := $(wildcard cmodel/test/select_*.h)
SELECT_SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
SELECT_ASAN_OBJ := $(SELECT_SRC:cmodel/select/%.c=$(BUILD)/obj/select-asan/%.o)

# zlib is only the oracle's; without it the oracle says so.
SELECT_ZLIB = $$(printf '\#include <zlib.h>\nint main(void) { return 0; }\n' | \
	$(CC) -x c - -lz -o /dev/null 2> /dev/null && echo -DEGRET_HAVE_ZLIB -lz)

$(BUILD)/test/select_%: cmodel/test/select_%.c $(SELECT_TEST_HDR) $(SELECT_HDR) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) -O2 -g -Icmodel/include -Icmodel/test $(SELECT_WRAP_$*) -o $@ $< \
		$(SELECT_LIB) -lm -ldl

$(BUILD)/test/select_oracle: cmodel/test/select_oracle.c $(SELECT_TEST_HDR) $(SELECT_HDR) \
		$(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) -O2 -g -Icmodel/include -Icmodel/test -o $@ $< $(SELECT_LIB) $(SELECT_ZLIB)

$(BUILD)/obj/select-asan/%.o: cmodel/select/%.c $(SELECT_HDR) $(BUILD)/gen/egret_configs.h
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(SELECT_SANITIZE) -Icmodel/include -I$(BUILD)/gen -c -o $@ $<

$(BUILD)/test/asan/select_%: cmodel/test/select_%.c $(SELECT_TEST_HDR) $(SELECT_ASAN_OBJ)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(SELECT_SANITIZE) -Icmodel/include -Icmodel/test $(SELECT_WRAP_$*) \
		-o $@ $< $(SELECT_ASAN_OBJ) -lm -ldl $(if $(findstring oracle,$@),$(SELECT_ZLIB))

EGRET_TARGETS += $(SELECT_LIB)
TEST_LISTS += cmodel/test/select_tests.list
TEST_DEPS += $(SELECT_LIB) $(SELECT_TEST_BIN) $(SELECT_ASAN_BIN)

# ---- bench: needs libdpdk-dev and valgrind ----

# DPDK's headers want SSE4.2 on x86; only the benchmark's own file is built with it.
BENCH_DPDK = $$(pkg-config --cflags libdpdk | sed 's/-I/-isystem /g; s/-march=[^ ]*//g') \
	$$(case $$(uname -m) in x86_64) echo -msse4.2 ;; esac)

$(BUILD)/bench/bench_select: cmodel/bench/bench_select.c $(SELECT_HDR) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Werror -O3 -fno-tree-vectorize $(BENCH_DPDK) -Icmodel/include \
		-o $@ $< $(SELECT_LIB) $$(pkg-config --libs-only-L libdpdk) -lrte_eal -lrte_hash

.PHONY: bench-select
bench-select: $(BUILD)/bench/bench_select
	@cmodel/bench/bench_select.sh $<

BENCH_TARGETS += bench-select
