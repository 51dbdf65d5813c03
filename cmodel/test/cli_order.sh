#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_order.sh: --order of egret model and egret check. The cases of trace_order, by the model and
# by RTL and model together; every scheme with classes that keep order, also with every other event
# in between; what the same data does as WRITE Only; misuse.
#
# usage: cli_order.sh [cases|schemes|stress|misuse]    all of them without one
# Without build/selectors/check_CONFIG.so the model alone is tested, and the test says so.
#
# Faults of docs/verification.md: C27.
. cmodel/test/cli_lib.sh

ORDER=build/test/trace_order
declare -A LIST=([lab]=list:100,1100$(printf ',600%.0s' {1..14})
    [p7]=list:100,1100$(printf ',600%.0s' {1..5}))
declare -A TREE=([lab]=fat-tree:8 [p7]=fat-tree:6)
SCHEMES='ecmp fixed entropy spray-rr dr spray-random spray-quality flowlet'
SPRAYS='spray-rr dr spray-random spray-quality'
WITH=

for config in lab p7; do
    if [ -e build/selectors/check_$config.so ]; then
        WITH="$WITH $config"
    else
        echo "no build/selectors/check_$config.so: $config without RTL"
    fi
done

# load JSON: its figures into FIGURE: NAME of the whole, N.NAME of class N, keeps.NAME summed up
# over the classes that keep order; causes as cause_NAME, and in all as `causes`.
declare -A FIGURE
load() {
    local name value
    FIGURE=()
    while read -r name value; do
        FIGURE[$name]=$value
    done < <(awk -F '"' '
        /{"class": / { in_class = 1; match($0, /[0-9]+/); class = substr($0, RSTART, RLENGTH)
                      keeps = /"keeps_order": true/ }
        /"moves": / { in_class = 0 }
        /"ports": / { next }
        { causes = /"causes": /
          for (i = 2; i < NF; i += 2) {
              value = $(i + 1)
              gsub(/[^0-9]/, "", value)
              if (value == "") continue
              name = (causes ? "cause_" : "") $i
              if (!in_class) { sum[name] = value; continue }
              sum[class "." name] += value
              if (keeps) { sum["keeps." name] += value }
              if (keeps && causes) { sum["keeps.causes"] += value }
          } }
        END { for (name in sum) print name, sum[name] }' "$1")
}

# is WHAT NAME VALUE: a figure of the report just written.
is() {
    local got=${FIGURE[$2]:-none}
    if [ "$got" = "$3" ]; then good; else bad "$1: $2 is $got, wanted $3"; fi
}

# both CODE TEXT CONFIG FILE OPTION...: by the model, and by RTL and model if they are built; the
# report is the same.
both() {
    local code=$1 text=$2 config=$3 file=$4
    shift 4
    expect "$code" "$text" "$EGRET" model --config $config --allow-illegal "$file" "$@" \
        --order-json "$DIR/o.json"
    load "$DIR/o.json"
    case " $WITH " in *" $config "*)
        expect "$code" "$text" "$EGRET" check --config $config --selector check:$config \
            --selector-dir build/selectors --allow-illegal "$file" "$@" \
            --order-json "$DIR/c.json"
        cmp -s "$DIR/o.json" "$DIR/c.json" && good || bad "$file: two reports"
        ;;
    esac
}

cases() {
    local count=0
    "$ORDER" "$DIR" >"$DIR/cases"
    while read -r config name reordered cause passed; do
        local code=0
        if [ "$cause" = none ] && [ "$reordered" != 0 ]; then code=1; fi
        local text=" $reordered reordered"
        if [ $code = 1 ]; then
            text='egret: order: flow 10.0.0.0 -> 10.0.0.7 QP 0x000101: packet 0 (event '
        fi
        both $code "$text" $config "$DIR/order_${name}_$config.pcap" --order "${LIST[$config]}"
        is "$name $config" keeps.reordered "$reordered"
        is "$name $config" "keeps.cause_$cause" "$reordered"
        is "$name $config" keeps.causes "$reordered"
        is "$name $config" keeps.passed "$passed"
        is "$name $config" errors $((code ? reordered : 0))
        is "$name $config" exceeded 0
        # One line about it, and no other.
        if [ $code = 1 ]; then
            holds "$name: one line" [ "$(wc -l <"$DIR/err")" = 1 ]
        fi
        count=$((count + 1))
    done <"$DIR/cases"
    holds "cases: $count" [ $count = 36 ]
}

# stimulus CONFIG SCHEME OPTION...
stimulus() {
    local config=$1 scheme=$2
    shift 2
    "$EGRET" trace make --topology "${TREE[$config]}" --config $config --collective permutation \
        --bytes 256KiB --at edge:0 --seed 3 --scheme $scheme "$@" -o "$DIR/s.pcap"
}

# No event but packets: whatever the group does with the others, these stay in order.
schemes() {
    local config scheme ordered n
    for config in lab p7; do
        n=$([ $config = lab ] && echo 256 || echo 192) # 4 or 3 hosts of 64 packets
        for scheme in $SCHEMES; do
            for ordered in ecmp fixed entropy flowlet; do
                stimulus $config $scheme --write first-middle-last --ordered-scheme $ordered
                both 0 ' keeps order ' $config "$DIR/s.pcap" --order spread:500,2000 \
                    --order-rate 800G
                is "$scheme $ordered $config" 2.packets $n
                is "$scheme $ordered $config" 2.reordered 0
                is "$scheme $ordered $config" errors 0
            done
            stimulus $config $scheme --write only
            both 0 ' any order ' $config "$DIR/s.pcap" --order spread:500,2000 --order-rate 800G
            is "only $scheme $config" 0.packets $n
            case " $SPRAYS " in *" $scheme "*)
                holds "$scheme $config: WRITE Only is not reordered" \
                    [ "${FIGURE[0.reordered]}" -gt 0 ] ;;
            *) is "only $scheme $config" 0.reordered 0 ;;
            esac
            # The same data, which all must keep order, and nothing keeps it.
            case " $SPRAYS " in *" $scheme "*)
                both 1 ', without a cause' $config "$DIR/s.pcap" --order spread:500,2000 \
                    --order-keep 0a
                # A line of 40 Gb/s cannot have sent what overtakes a packet here.
                both 1 'is overtaken by more than --order-rate carries' $config "$DIR/s.pcap" \
                    --order spread:500,2000 --order-rate 40G ;;
            esac
        done
    done
}

# All other events in between: each reordering has a cause.
stress() {
    local scheme ordered sum=0
    for scheme in $SCHEMES; do
        for ordered in ecmp fixed entropy flowlet; do
            stimulus lab $scheme --write first-middle-last --ordered-scheme $ordered --stress 3
            both 0 ' keeps order ' lab "$DIR/s.pcap" --order spread:500,2000
            is "stress $scheme $ordered" errors 0
            sum=$((sum + FIGURE[keeps.reordered]))
        done
    done
    holds "stress: $sum reordered" [ $sum -gt 100 ]
}

misuse() {
    stimulus lab dr --write first-middle-last
    for bad in 5 spread: spread:1 spread:1,2,3,4 spread:x,1 spread:1,2, list: list:1,,2 \
        spread:1,1000000001 list:5000000000 spread:0,999999999999999999999999; do
        expect 2 'egret: --order is spread:BASE,SPREAD' "$EGRET" model --config lab \
            "$DIR/s.pcap" --order $bad
    done
    expect 2 '2 delays, and the configuration has 16 ports' "$EGRET" model --config lab \
        "$DIR/s.pcap" --order list:1,2
    expect 2 '--order-json is for --order' "$EGRET" model --config lab "$DIR/s.pcap" \
        --order-json "$DIR/x"
    expect 2 '--order-keep is for --order' "$EGRET" check --config lab --selector model \
        "$DIR/s.pcap" --order-keep class
    expect 2 '--order-rate is for --order' "$EGRET" model --config lab "$DIR/s.pcap" \
        --order-rate 800G
    for bad in 6 06,7 zz 0607 06,,07 06,; do
        expect 2 '--order-keep is write-only-free, class, or opcodes' "$EGRET" model --config lab \
            "$DIR/s.pcap" --order spread:1,2 --order-keep $bad
    done
    expect 2 'cannot be standard output' "$EGRET" check --config lab --selector model \
        "$DIR/s.pcap" --order spread:1,2 --order-json -
    expect 2 'the output is the input' "$EGRET" check --config lab --selector model \
        "$DIR/s.pcap" --order spread:1,2 --order-json "$DIR/s.pcap"
    expect 2 'only one output can be standard output' "$EGRET" model --config lab \
        "$DIR/s.pcap" --order spread:1,2 --order-json - --csv -
    expect 2 'two outputs are this one file' "$EGRET" model --config lab \
        "$DIR/s.pcap" --order spread:1,2 --order-json "$DIR/y" --csv "$DIR/y"
    nothing_left y
    expect 2 'No such file' "$EGRET" check --config lab --selector model "$DIR/s.pcap" \
        --order spread:1,2 --order-json "$DIR/none/x"
    # Equal paths: nothing can be reordered. By class it is the same as by opcode here.
    expect 0 'skew 0 ns' "$EGRET" model --config lab "$DIR/s.pcap" --order spread:700,0
    expect 0 'class 2  keeps order       256 packets' "$EGRET" model --config lab \
        "$DIR/s.pcap" --order spread:500,2000,9 --order-keep class
    expect 0 '"skew_ns": 0,' "$EGRET" model --config lab "$DIR/s.pcap" --order spread:7,0 \
        --order-json -
    holds 'JSON alone' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$DIR/out"
    # Nothing that could be out of order: not RoCE's port.
    python3 - "$DIR/s.pcap" "$DIR/none.pcap" <<'END'
import sys
data = open(sys.argv[1], "rb").read().replace(b"\x12\xb7", b"\x12\xb8")
open(sys.argv[2], "wb").write(data)
END
    expect 1 'egret: order: no packet of a queue pair' "$EGRET" model --config lab \
        "$DIR/none.pcap" --order spread:500,2000
    # A difference comes before the order, and leaves no report.
    EGRET_FAULT=port:100 expect 1 'DIFFERENT at event' "$EGRET" check --config lab --selector \
        build/test/trace_faulty_selector.so "$DIR/s.pcap" --order spread:1,2 \
        --order-json "$DIR/x.json"
    nothing_left x.json
    # Segmentation and the scheme of what keeps order.
    for bad in '--write last' '--ordered-scheme dr' '--ordered-scheme none' \
        '--ordered-scheme x' '--ordered-below 65536'; do
        # shellcheck disable=SC2086
        expect 2 "egret: ${bad% *}" "$EGRET" trace make --topology fat-tree:8 --collective ring \
            --bytes 1MiB --at edge:0 --scheme dr $bad -o "$DIR/x"
    done
    expect 2 'too small: SCHEMES' "$EGRET" trace make --topology fat-tree:4 --collective ring \
        --bytes 1MiB --at edge:0 --scheme dr --config tiny --ordered-scheme flowlet -o "$DIR/x"
    nothing_left x
    # Short packets keep order, too: acknowledgements of 62 bytes, class 1 and 8.
    stimulus lab dr --write only --ordered-below 63
    expect 0 'class 9  keeps order       256 packets         0 reordered' "$EGRET" model \
        --config lab "$DIR/s.pcap" --order spread:500,2000 --order-keep class
    stimulus lab dr --write only --ordered-below 62
    expect 0 'class 1  any order         256 packets' "$EGRET" model \
        --config lab "$DIR/s.pcap" --order spread:500,2000 --order-keep class
    # Without these options a stimulus is what it was: classes 0 and 1, no CLASS_ORDERED.
    stimulus lab dr
    "$EGRET" trace dump "$DIR/s.pcap" >"$DIR/dump"
    holds 'CLASS_ORDERED is not written' [ "$(grep -c 'write addr=00000d' "$DIR/dump")" = 0 ]
}

for part in ${1:-cases schemes stress misuse}; do
    $part
done
finish
