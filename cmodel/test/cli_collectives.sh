#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Collectives and patterns of `egret trace make`: each name gives a stimulus that the model runs;
# packets by hand; options that are not for a pattern are refused, without a file.
set -u
egret=${EGRET:-build/bin/egret}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pass=0
fail=0
note() { # GOOD WHAT
  if [ "$1" = 1 ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAIL: $2"; fi
}
make() { # ARGUMENT...: the stimulus of edge 0 of a fat-tree of 16 hosts
  "$egret" trace make --topology fat-tree:4 --at edge:0 --scheme dr "$@" -o "$tmp/s.pcap" \
    > "$tmp/out" 2>&1
}
packets() { # WANTED ARGUMENT...: so many packets from the two hosts of the edge, without ACKs
  local wanted=$1 got
  shift
  rm -f "$tmp/s.pcap"
  make "$@" --no-acks
  got=$("$egret" model --config lab "$tmp/s.pcap" --csv "$tmp/d.csv" > "$tmp/log" 2>&1 &&
    sed 1d "$tmp/d.csv" | grep -c ,)
  if [ "$got" = "$wanted" ]; then note 1 ""
  else note 0 "$*: $got packets, not $wanted: $(cat "$tmp/out" "$tmp/log" | head -1)"; fi
}
refused() { # TEXT ARGUMENT...
  local text=$1 code
  shift
  rm -f "$tmp/s.pcap"
  make "$@"
  code=$?
  if [ $code = 2 ] && grep -qF -- "$text" "$tmp/out" && [ ! -e "$tmp/s.pcap" ]; then note 1 ""
  else note 0 "$*: exit $code, $(head -1 "$tmp/out")"; fi
}

# 16 hosts, two at edge 0. A ring all-reduce of 16 x 4096 bytes: 30 packets a host.
packets 60 --collective all-reduce --bytes 64KiB
packets 60 --collective all-reduce --bytes 64KiB --algorithm ring --channels 1
packets 120 --collective all-reduce --bytes 64KiB --channels 2 # half a packet each
packets 60 --collective all-reduce --bytes 64KiB --algorithm halving-doubling
packets 60 --collective all-reduce --bytes 64KiB --algorithm direct
packets 30 --collective all-gather --bytes 64KiB
packets 30 --collective reduce-scatter --bytes 64KiB --algorithm pairwise
packets 30 --collective all-to-all --bytes 64KiB --algorithm pairwise
packets 8 --collective barrier --bytes 1
packets 2 --collective tornado --bytes 4096
packets 1 --collective incast --bytes 4096
packets 30 --collective alltoall --bytes 4096 --window 2
packets 6240 --collective fsdp-7b --payload 4096 --algorithm direct # 2 x 15 flows of 104 a host
packets 15 --collective broadcast --bytes 4096 --algorithm direct
packets 4 --collective broadcast --bytes 4096 # the root has four children, host 1 none

refused "--rounds is not for it" --collective tornado --bytes 1 --rounds 2
refused "--window is not for it" --collective all-to-all --bytes 1 --window 2
refused "unknown algorithm 'star'" --collective all-reduce --bytes 1 --algorithm star
refused "for all-reduce alone" --collective all-gather --bytes 9 --algorithm double-binary-tree
refused "must divide" --collective all-reduce --bytes 9 --algorithm hierarchical --group-size 3
refused "--root 16 of 16 ranks" --collective broadcast --bytes 9 --root 16
refused "at least two ranks and one byte" --collective all-reduce
refused "unknown collective 'allred'" --collective allred --bytes 9

echo "RESULT pass=$pass fail=$fail"
[ "$fail" = 0 ]
