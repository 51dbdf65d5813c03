# SPDX-License-Identifier: Apache-2.0
# The fabric library; included after cmodel/trace.mk, which names its sources. Needs what the command needs.

$(BUILD)/obj/fabric/%.o: cmodel/fabric/%.c $(SELECT_HDR) $(FABRIC_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -Icmodel/trace -c -o $@ $<

$(BUILD)/obj/fabric-asan/%.o: cmodel/fabric/%.c $(SELECT_HDR) $(FABRIC_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) -Icmodel/include -Icmodel/trace -c -o $@ $<

$(FABRIC_LIB): $(FABRIC_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(FABRIC_OBJ)

# An archive, so that a test may bring its own queues and links (fabric_toy.h).
FABRIC_ASAN_LIB := $(BUILD)/lib/libegret_fabric_asan.a
$(FABRIC_ASAN_LIB): $(FABRIC_ASAN_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(FABRIC_ASAN_OBJ)

EGRET_TARGETS += $(FABRIC_LIB)

# ---- tests: cmodel/test/fabric_NAME.c each ----

FABRIC_TESTS := $(sort $(patsubst cmodel/test/fabric_%.c,%,$(wildcard cmodel/test/fabric_*.c)))
FABRIC_TEST_BIN := $(FABRIC_TESTS:%=$(BUILD)/test/fabric_%)

$(FABRIC_TEST_BIN): $(BUILD)/test/fabric_%: cmodel/test/fabric_%.c $(wildcard cmodel/test/fabric_*.h) \
		$(SELECT_HDR) $(FABRIC_HDR) $(FABRIC_ASAN_LIB) $(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ)
	@mkdir -p $(@D)
	$(CC) $(EGRET_WARN) $(TRACE_SANITIZE) $(FABRIC_TEST_LINK) -Icmodel/include -Icmodel/fabric -o $@ $< \
		$(FABRIC_ASAN_LIB) $(TRACE_ASAN_OBJ) $(SELECT_ASAN_OBJ) $(TRACE_LIBS) -lm -ldl

# Memory, threads and clocks that cannot be had.
$(BUILD)/test/fabric_errors: FABRIC_TEST_LINK := -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=aligned_alloc -Wl,--wrap=pthread_create -Wl,--wrap=clock_gettime

TEST_LISTS += cmodel/test/fabric_tests.list
TEST_DEPS += $(FABRIC_TEST_BIN)

# ---- bench: needs valgrind ----

.PHONY: bench-fabric
bench-fabric: $(EGRET_BIN)
	@cmodel/bench/bench_fabric.sh $<

BENCH_TARGETS += bench-fabric
