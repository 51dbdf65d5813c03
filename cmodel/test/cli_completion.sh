#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_completion.sh bash|zsh: the completion script in the shell itself: its function is given a
# line, as the shell does when the tab key is pressed, and what it offers is compared.
. cmodel/test/cli_lib.sh

shell=$1
if ! command -v "$shell" >/dev/null; then
    echo "SKIP: no $shell"
    exit 77
fi
"$EGRET" completion "$shell" >"$DIR/_egret"
"$shell" -n "$DIR/_egret" && good || bad "$shell cannot read the script"

cat >"$DIR/bash" <<'END'
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
_egret
printf '%s\n' "${COMPREPLY[@]}"
END
# compadd and _files belong to the line editor; these say what they are given.
cat >"$DIR/zsh" <<'END'
compdef() { :; }
compset() { PREFIX=${PREFIX#*=}; }
compadd() {
    while [[ $1 != -- ]]; do shift; done
    shift
    local w
    for w in "$@"; do if [[ $w == "$PREFIX"* ]]; then print -r -- "$w"; fi; done
}
_files() { local w; for w in "$PREFIX"*(N); do print -r -- "$w"; done }
source "$1"
words=("${(@s: :)2}")
CURRENT=${#words}
PREFIX=${words[CURRENT]}
_egret
END

# offers LINE WORD...: exactly these, in any order.
offers() {
    local line=$1 want got
    shift
    want=$(printf '%s\n' "$@" | sort)
    got=$(cd "$DIR/files" && case $shell in
        bash) bash --norc "$DIR/bash" "$DIR/_egret" "$line" ;;
        zsh) zsh -f "$DIR/zsh" "$DIR/_egret" "$line" ;;
    esac 2>&1 | sort)
    if [ "$want" = "$got" ]; then good; else bad "$shell: '$line' gives: ${got//$'\n'/ }"; fi
}
# among LINE WORD: this one, and others.
among() {
    local got
    got=$(cd "$DIR/files" && "$shell" $([ "$shell" = zsh ] && echo -f || echo --norc) \
        "$DIR/$shell" "$DIR/_egret" "$1" 2>&1)
    if grep -qxF -e "$2" <<<"$got"; then good; else bad "$shell: '$1' has no '$2': $got"; fi
}

mkdir "$DIR/files"
touch "$DIR/files/perm.pcap" "$DIR/files/persist.cfg"
offers 'egret mo' model
offers 'egret tr' trace
offers 'egret --v' --version
offers 'egret trace du' dump
offers 'egret help trace du' dump
offers 'egret help mod' model
offers 'egret completion ' bash zsh
offers 'egret model --cs' --csv
offers 'egret model --allow' --allow-illegal
offers 'egret model --order' --order --order-keep --order-rate --order-json
offers 'egret model --config t' tiny tor64
offers 'egret model --config=t' tiny tor64
offers 'egret model --config per' perm.pcap persist.cfg
offers 'egret model --config lab perm' perm.pcap
offers 'egret model perm.pcap --config lab --csv perm' perm.pcap
offers 'egret model -- per' perm.pcap persist.cfg
offers 'egret model -- --cs' ''
offers 'egret trace make --scheme spray-' spray-rr spray-random spray-quality
offers 'egret trace make --scheme=fl' flowlet
offers 'egret trace make --hash crc' crc16 crc16-ccitt crc32 crc32c
offers 'egret trace make --load cisco' cisco-aci cisco-nxos
offers 'egret trace make --fields L4' L4_SRC_PORT L4_DST_PORT
offers 'egret trace make --topology fat' fat-tree:
offers 'egret trace make --payload ' ''
offers 'egret config sh' show
among 'egret ' check
among 'egret trace ' random
among 'egret trace make --same-pointer --' --bytes
among 'egret hash --algorithm ' toeplitz
# In bash the word that is completed begins behind the colon.
if [ "$shell" = bash ]; then
    offers 'egret check --selector rtl:la' lab lab_lookup3
else
    offers 'egret check --selector rtl:la' rtl:lab rtl:lab_lookup3
fi
finish
