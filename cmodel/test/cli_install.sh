#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_install.sh: make install into an empty folder: what a stranger finds there works, a program in
# C and one in C++ build against it, and make uninstall leaves nothing of it.
. cmodel/test/cli_lib.sh

if ! command -v pkg-config >/dev/null || ! command -v g++ >/dev/null; then
    echo 'SKIP: no pkg-config or no g++'
    exit 77
fi
unset MAKEFLAGS MAKELEVEL
root="$DIR/a root/opt/egret"
run() { make --no-print-directory "$1" PREFIX="${2:-/opt/egret}" DESTDIR="$DIR/a root"; }

expect 0 'installed under' run install
for file in bin/egret lib/libegret_select.a lib/libegret_trace.a lib/libegret_fabric.a \
    include/egret/egret.h include/egret/trace.h lib/pkgconfig/egret.pc share/man/man1/egret.1 \
    share/bash-completion/completions/egret share/zsh/site-functions/_egret \
    share/doc/egret/docs/trace.md share/doc/egret/docs/import.md share/doc/egret/LICENSE; do
    holds "no $file" [ -s "$root/$file" ]
done
for header in cmodel/include/egret/*.h cmodel/include/egret/*.hpp; do
    holds "$header" cmp -s "$header" "$root/include/egret/$(basename "$header")"
done
holds 'a file of others can be written' [ -z "$(find "$DIR/a root" -type f -perm /022)" ]
expect 0 'egret, API version' "$root/bin/egret" --version
expect 0 'packets' "$root/bin/egret" model --config tiny tb/traces/edge_dr.pcap
# It finds selectors where make install puts them, and else where the build does.
mkdir -p "$root/lib/egret/selectors"
rm -f "$root"/lib/egret/selectors/rtl_p7.so
expect 2 'selectors/rtl_p7.so' "$root/bin/egret" check --config tiny --selector rtl:p7 \
    tb/traces/edge_dr.pcap
echo 'no library' >"$root/lib/egret/selectors/rtl_p7.so"
expect 2 'lib/egret/selectors/rtl_p7.so: ' "$root/bin/egret" check --config tiny \
    --selector rtl:p7 tb/traces/edge_dr.pcap
rm "$root/lib/egret/selectors/rtl_p7.so"

# pkg-config says what the C and the C++ compiler need, with every object of the archives linked, so
# that a library which egret.pc does not name is missed.
cat >"$DIR/use.c" <<'END'
#include <stdio.h>
#include <egret/control.h>
#include <egret/trace.h>
int main(int argc, char **argv)
{
    struct egret_cfg cfg;
    struct egret *model = NULL;
    struct egret_stimulus *in = NULL;
    struct egret_event ev;
    struct egret_decision d;
    unsigned n = 0;
    if (argc != 2 || egret_cfg_named("tiny", &cfg) || egret_create(&cfg, &model) ||
        egret_stimulus_open(argv[1], &in, NULL)) {
        return 1;
    }
    while (egret_stimulus_next(in, &ev, NULL) > 0 && egret_apply(model, &ev, &d) == EGRET_OK) {
        n += d.kind == EGRET_RES_PACKET;
    }
    egret_stimulus_close(in);
    egret_destroy(model);
    printf("%u packets\n", n);
    return 0;
}
END
cp "$DIR/use.c" "$DIR/use.cpp"
ln -s "$DIR/a root" "$DIR/root" # pkg-config's output has no quotes
export PKG_CONFIG_PATH="$DIR/root/opt/egret/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$DIR/root"
packets=$("$EGRET" model --config tiny tb/traces/edge_dr.pcap |
    sed -n 's/.*, \([0-9]*\) packets.*/\1/p')
holds "packets" [ -n "$packets" ]
holds 'pkg-config knows the version' pkg-config --exact-version=0.1.0 egret
for flags in '' --static; do
    # shellcheck disable=SC2046,SC2086
    expect 0 '' cc -std=c11 -Wall -Wextra -Werror -o "$DIR/use_c" "$DIR/use.c" \
        $(pkg-config --cflags egret) -Wl,--whole-archive $(pkg-config --libs $flags egret) \
        -Wl,--no-whole-archive
    expect 0 "$packets packets" "$DIR/use_c" tb/traces/edge_dr.pcap
    # shellcheck disable=SC2046,SC2086
    expect 0 '' g++ -std=c++11 -Wall -Wextra -Werror -o "$DIR/use_cpp" "$DIR/use.cpp" \
        $(pkg-config --cflags --libs $flags egret)
    expect 0 "$packets packets" "$DIR/use_cpp" tb/traces/edge_dr.pcap
done

# A second installation takes away what the first one had and it has not.
echo 'include/egret/gone.h' >>"$root/share/egret/installed"
touch "$root/include/egret/gone.h" "$root/include/egret/mine.h"
expect 0 'installed under' run install
holds 'gone.h stays' [ ! -e "$root/include/egret/gone.h" ]
expect 0 'removed from' run uninstall
holds 'a file of others is gone' [ -e "$root/include/egret/mine.h" ]
rm "$root/include/egret/mine.h"
left=$(find "$DIR/a root" -type f)
holds "left: $left" [ -z "$left" ]
holds 'share/doc/egret is left' [ ! -e "$root/share/doc/egret" ]
code=0
run uninstall >"$DIR/out" 2>&1 || code=$?
holds 'nothing to uninstall' [ "$code" != 0 ]
holds 'and it says so' grep -q 'nothing was installed there' "$DIR/out"
code=0
run install opt >"$DIR/out" 2>&1 || code=$?
holds 'a PREFIX without a slash' [ "$code" != 0 ]
holds 'it says that' grep -q 'PREFIX must begin with a slash' "$DIR/out"
finish
