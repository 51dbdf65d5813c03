# SPDX-License-Identifier: Apache-2.0
# Turns configs.mk into the C initializers behind egret_cfg_named(). Plain POSIX awk.
# Fails on an unknown key, a missing one that is not optional, and a configuration that is listed
# but not given.

BEGIN {
    nkeys = split("NUM_PORTS NUM_GROUPS NUM_KEYS NUM_BINS NUM_ROWS ROW_LEN NUM_BUCKETS " \
                  "HASH_KIND RSP_DEPTH SCHEMES NUM_FLOWLETS PARITY", key, " ")
    for (i = 1; i <= nkeys; i++)
        known[key[i]] = 1
    optional["PARITY"] = 1 # 0 if not given
    rtl_only["BLOCK_RAM"] = 1
    bad = 0
}

function fail(text) {
    print "gen_configs.awk: " text > "/dev/stderr"
    bad = 1
}

/^CONFIGS[ \t]*:=/ {
    sub(/^CONFIGS[ \t]*:=[ \t]*/, "")
    nnames = split($0, name, /[ \t]+/)
    if (nnames > 0 && name[nnames] == "")
        nnames--
    next
}

/^CONFIG_[A-Za-z0-9_]+[ \t]*:=/ {
    config = $1
    sub(/^CONFIG_/, "", config)
    sub(/:=.*$/, "", config)
    given[config] = 1
    line = $0
    sub(/^[^=]*=[ \t]*/, "", line)
    n = split(line, item, /[ \t]+/)
    for (i = 1; i <= n; i++) {
        if (item[i] == "")
            continue
        if (split(item[i], pair, "=") != 2 || pair[2] !~ /^[0-9]+$/)
            fail(config ": not KEY=NUMBER: " item[i])
        else if (!(pair[1] in known) && !(pair[1] in rtl_only))
            fail(config ": unknown parameter " pair[1])
        else if ((config, pair[1]) in value)
            fail(config ": " pair[1] " is given twice")
        else
            value[config, pair[1]] = pair[2]
    }
    next
}

END {
    print "/* Made from configs.mk by scripts/gen_configs.awk: do not edit. */"
    print "static const struct egret_cfg egret_named_cfg[] = {"
    for (c = 1; c <= nnames; c++) {
        if (!(name[c] in given))
            fail("CONFIGS lists " name[c] ", which has no CONFIG_ line")
        if (length(name[c]) > 31)
            fail("name longer than 31 characters: " name[c])
        row = "    {\"" name[c] "\""
        for (i = 1; i <= nkeys; i++) {
            if (!((name[c], key[i]) in value) && !(key[i] in optional))
                fail(name[c] ": " key[i] " is missing")
            row = row ", " value[name[c], key[i]] + 0
        }
        print row "},"
    }
    print "};"
    if (nnames < 1)
        fail("no CONFIGS line")
    exit bad
}
