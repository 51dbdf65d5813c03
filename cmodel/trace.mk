# SPDX-License-Identifier: Apache-2.0
# The trace library and the egret command; included after cmodel/select.mk.
# `make egret` needs a C compiler, ar, awk and make only.

TRACE_SRC := $(sort $(wildcard cmodel/trace/*.c))
TRACE_HDR := $(wildcard cmodel/trace/*.h)
TRACE_OBJ := $(TRACE_SRC:cmodel/trace/%.c=$(BUILD)/obj/trace/%.o)
TRACE_LIB := $(BUILD)/lib/libegret_trace.a

CLI_SRC := $(sort $(wildcard cmodel/cli/*.c))
CLI_HDR := $(wildcard cmodel/cli/*.h)
CLI_OBJ := $(CLI_SRC:cmodel/cli/%.c=$(BUILD)/obj/cli/%.o)
EGRET_BIN := $(BUILD)/bin/egret

$(BUILD)/obj/trace/%.o: cmodel/trace/%.c $(SELECT_HDR) $(TRACE_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -c -o $@ $<

$(TRACE_LIB): $(TRACE_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(TRACE_OBJ)

$(BUILD)/obj/cli/%.o: cmodel/cli/%.c $(SELECT_HDR) $(CLI_HDR)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -c -o $@ $<

# -rdynamic lets a selector use the command's copy of the libraries.
$(EGRET_BIN): $(CLI_OBJ) $(TRACE_LIB) $(SELECT_LIB)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_EGRET) -rdynamic -o $@ $(CLI_OBJ) $(TRACE_LIB) $(SELECT_LIB) -ldl

EGRET_TARGETS += $(EGRET_BIN) $(TRACE_LIB)
