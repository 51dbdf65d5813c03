/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_capture.h: egret trace import of a capture.
 */
#ifndef EGRET_CLI_IMPORT_CAPTURE_H
#define EGRET_CLI_IMPORT_CAPTURE_H

#include "cli.h"
#include "egret/capture.h"
#include "make_options.h"

struct import_capture {
    bool frames;       /* --frames: the very frames, not their messages */
    bool events;       /* --events */
    const char *setup; /* --setup, or null */
};

#define IMPORT_CAPTURE_OPTIONS(c)                                                                  \
    {"frames", CLI_FLAG, &(c).frames, NULL, "of a capture: its very frames behind the set-up"},    \
        {"setup", CLI_TEXT, &(c).setup, "FILE",                                                    \
         "--frames: set-up of that stimulus, instead of --topology, --at, --scheme"},              \
    {                                                                                              \
        "events", CLI_FLAG, &(c).events, NULL,                                                     \
            "--frames: event frames (EtherType 0x88b5) in the capture are events"                  \
    }

/* Refuses options that do not go together. Returns -1 to go on, else the exit code. */
int cli_import_capture_check(const struct import_capture *c, const struct make_options *o);
/* --frames: writes the stimulus. topology and make are not looked at with --setup. Returns the exit
 * code. */
int cmd_import_capture(const char *capture, const struct import_capture *c,
                       const struct egret_topology *topology, const struct egret_make *make,
                       uint64_t limit, const char *output);
/* Without --frames: the messages. *report (may be null) is what was read, its hosts left out.
 * Returns -1 to go on with the schedule, else the exit code. */
int cli_import_capture_schedule(const char *capture, struct egret_schedule *out,
                                struct egret_capture_report *report);

#endif
