#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_memory.sh: a million packets stream through the model in an address space of 64 MiB.
. cmodel/test/cli_lib.sh

"$EGRET" trace make --topology fat-tree:8 --collective alltoall --bytes 4MiB --at edge:0 \
    --scheme dr --limit 1000000 -o - | (
    ulimit -v 65536
    "$EGRET" model --config lab - --csv -
) | tail -n 1 >"$DIR/last" || bad 'a million packets'
holds 'last packet' [ "$(cut -d, -f3 "$DIR/last")" = 999999 ]

# And random events through check, comparing, twice over.
"$EGRET" trace random --config lab --events 200000 --seed 8 -o "$DIR/r.pcap"
code=0
(
    ulimit -v 65536
    "$EGRET" check --config lab --selector model --allow-illegal "$DIR/r.pcap"
) >"$DIR/out" || code=$?
holds 'check' [ "$code" = 0 ]
finish
