#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The fabric: instructions a packet-hop (limit 300), processor time a packet-hop at four sizes (the
# largest at most twice the smallest), two threads against one (critical path). dr in every switch,
# ideal transport; ACKs are packets, too. Exit code 1 beyond a limit; speeds are reported only.
#
# Instructions are counted by valgrind: two runs that differ in the length of messages only, so that
# building the fabric cancels.
#
# usage: bench_fabric.sh EGRET
set -euo pipefail

egret=$1
missed=0
json=$(mktemp)
trap 'rm -f "$json"' EXIT

run() { # k, packets, further options
    local k=$1 packets=$2
    shift 2
    "$egret" fabric --topology "fat-tree:$k" --collective permutation --packets "$packets" \
        --scheme dr --json "$json" "$@" > /dev/null
}
value() { # name: the first such member of the run
    sed -n 's/^.*"'"$1"'": *\([0-9.eE+-]*\).*$/\1/p' "$json" | head -n 1
}
instructions() { # packets
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$egret" fabric --topology fat-tree:8 \
        --collective permutation --packets "$1" --scheme dr --json "$json" 2>&1 |
        awk '/Collected/ { print $NF }'
}

few=$(instructions 128)
few_hops=$(value packet_hops)
many=$(instructions 640)
many_hops=$(value packet_hops)
tenths=$(((10 * (many - few)) / (many_hops - few_hops)))
verdict=PASS
if [ "$tenths" -gt 3000 ]; then
    verdict=FAIL
    missed=1
fi
printf '%s instructions a packet-hop %d.%d  (limit 300)\n' \
    "$verdict" $((tenths / 10)) $((tenths % 10))

echo
echo "hosts     packet-hops   s of processor   M a second"
for size in "8 2048" "16 512" "32 256" "64 256"; do
    read -r k packets <<< "$size"
    run "$k" "$packets"
    hosts=$((k * k * k / 4))
    hops=$(value packet_hops)
    cpu=$(value cpu_s)
    awk -v h="$hosts" -v n="$hops" -v s="$cpu" \
        'BEGIN { printf "%-6d %14d %16.2f %12.1f\n", h, n, s, n / s / 1e6 }'
    if [ "$k" = 8 ]; then small=$(awk -v n="$hops" -v s="$cpu" 'BEGIN { print s / n }'); fi
done
ratio=$(awk -v a="$small" -v n="$hops" -v s="$cpu" 'BEGIN { printf "%.2f", s / n / a }')
verdict=$(awk -v r="$ratio" 'BEGIN { print r <= 2 ? "PASS" : "FAIL" }')
if [ "$verdict" = FAIL ]; then missed=1; fi
echo "$verdict a packet-hop with 65,536 hosts takes $ratio times that with 128  (limit 2)"

run 16 1024
one=$(value cpu_s)
run 16 1024 --threads 2
two=$(value critical_path_s)
awk -v a="$one" -v b="$two" \
    'BEGIN { printf "     two threads, 1024 hosts: critical path %.2f s, one thread %.2f s: " \
         "%.2f times\n", b, a, a / b }'
exit "$missed"
