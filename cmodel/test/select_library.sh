#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The select library as others meet it: every public header compiles alone in C and in C++, the
# archive has egret_ symbols only, no writable data, and calls nothing beyond a short list; a C++
# program links with it.
#
# usage: select_library.sh LIBRARY
set -euo pipefail

library=$1
include=cmodel/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pass=0
fail=0

verdict() { # 0 or not, text
    if [ "$1" -eq 0 ]; then
        pass=$((pass + 1))
    else
        fail=$((fail + 1))
        echo "FAIL $2"
    fi
}

for header in egret regs hash control timing selector classmap; do
    printf '#include "egret/%s.h"\n#include "egret/%s.h"\nint unused;\n' "$header" "$header" \
        > "$work/one.c"
    cp "$work/one.c" "$work/one.cpp"
    code=0
    ${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror \
        -I"$include" -c -o "$work/one.o" "$work/one.c" || code=$?
    verdict "$code" "egret/$header.h alone in C"
    code=0
    ${CXX:-c++} -std=c++11 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -I"$include" -c \
        -o "$work/one.o" "$work/one.cpp" || code=$?
    verdict "$code" "egret/$header.h alone in C++"
done

nm --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' > "$work/symbols"
[ -s "$work/symbols" ] || { echo "no symbols in $library"; exit 1; }
foreign=$(grep -v '^egret_' "$work/symbols" || true)
verdict "$([ -z "$foreign" ]; echo $?)" "symbols without prefix: $foreign"
clash=$(grep -x 'egret_selector' "$work/symbols" || true)
verdict "$([ -z "$clash" ]; echo $?)" "egret_selector() belongs to shared objects"

# .data.rel.ro holds pointers that the loader fills in, then it is read-only
writable=$(size -A "$library" | awk '
    /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print $1, $2 }')
verdict "$([ -z "$writable" ]; echo $?)" "writable data: $writable"
common=$(nm "$library" | awk '$2 == "C"')
verdict "$([ -z "$common" ]; echo $?)" "common symbols: $common"

calls=$(nm --undefined-only "$library" | awk 'NF == 2 { print $2 }' | sort -u |
    grep -Evx 'egret_.*|calloc|free|mem(cpy|set|move|cmp)|strcmp|_GLOBAL_OFFSET_TABLE_' || true)
verdict "$([ -z "$calls" ]; echo $?)" "calls beyond the list: $calls"
allocates=$(nm -A --undefined-only "$library" | awk '$NF == "calloc" { print $1 }' |
    grep -Ev ':(model|timing)\.o' || true)
verdict "$([ -z "$allocates" ]; echo $?)" "allocates elsewhere than in create: $allocates"

cat > "$work/use.cpp" <<'CPP'
#include "egret/control.h"
#include "egret/selector.h"
int main()
{
    egret_cfg cfg;
    egret *e = nullptr;
    if (egret_cfg_named("tiny", &cfg) != EGRET_OK || egret_create(&cfg, &e) != EGRET_OK)
        return 1;
    int err = egret_ctl_draw_seed(&cfg, 1, egret_emit_apply, e);
    egret_destroy(e);
    return err;
}
CPP
code=0
{ ${CXX:-c++} -std=c++11 -I"$include" -o "$work/use" "$work/use.cpp" "$library" &&
    "$work/use"; } || code=$?
verdict "$code" "a C++ program"

echo "RESULT pass=$pass fail=$fail"
[ "$fail" -eq 0 ]
