// SPDX-License-Identifier: Apache-2.0
// Runs many mutants of egret_core that are one netlist (scripts/mutate), in one process: input
// mutsel chooses the mutant, 0 none. Each begins with random registers and tables, is driven by the
// bench engine (bench.h) over one stimulus after the other, and ends at the first difference.
//
// usage: mutant_run RUNS FIRST LAST
//   RUNS  a file, a run a line: NAME INITIAL +PLUSARG...   INITIAL: 0 all registers and tables
//         begin with 0, else the seed of their random bits
// Prints a line a mutant:
//   N killed NAME CLOCKS TEXT    TEXT: what the engine says of the difference
//   N survived - CLOCKS -
// CLOCKS are those of all its runs. Exit 1 if a run cannot start.
// EGRET_CFG_* come from configs.mk on the compiler's command line.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "Vegret_core.h"
#include "bench.h"
#include "built_cfg.h"
#include "verilated.h"

namespace {

struct run {
    std::string name;
    int initial;
    std::vector<std::string> plusargs;
};

const char *plusarg(void *ctx, const char *name)
{
    const run *r = static_cast<const run *>(ctx);
    const size_t n = std::strlen(name);
    for (const std::string &text : r->plusargs)
        if (text[0] == '+' && text.compare(1, n, name) == 0 && text[n + 1] == '=')
            return text.c_str() + n + 2;
    return nullptr;
}

void drive(Vegret_core &core, const egret_bench_in &in)
{
    core.rst_i = in.rst;
    core.port_valid_i = in.port_valid;
    core.port_id_i = in.port_id;
    core.port_up_i = in.port_up;
    core.queue_valid_i = in.queue_valid;
    core.queue_id_i = in.queue_id;
    core.queue_depth_i = in.queue_depth;
    core.tick_valid_i = in.tick_valid;
    core.tick_now_i = in.tick_now;
    core.req_valid_i = in.req_valid;
    core.req_kind_i = in.req_kind & 3u;
    core.req_now_i = in.req_now & 0xffffffffffffu;
    core.req_tag_i = in.req_tag;
    core.req_group_i = in.req_group;
    core.req_key_i = in.req_key;
    core.req_bin_i = in.req_bin;
    core.req_class_i = in.req_class & 15u;
    core.req_length_i = in.req_length;
    core.req_entropy_i = in.req_entropy;
    core.req_addr_i = in.req_addr & 0xffffffu;
    core.req_data_i = in.req_data;
    for (unsigned i = 0; i < EGRET_RECORD_WORDS; i++)
        core.req_record_i[i] = in.req_record[i];
    core.req_record_i[EGRET_RECORD_WORDS - 1] &= 0xffu;
    core.rsp_ready_i = in.rsp_ready;
}

void sample(const Vegret_core &core, egret_bench_out &out)
{
    out.unknown = false;
    out.init_done = core.init_done_o;
    out.port_ready = core.port_ready_o;
    out.queue_ready = core.queue_ready_o;
    out.tick_ready = core.tick_ready_o;
    out.req_ready = core.req_ready_o;
    out.rsp_valid = core.rsp_valid_o;
    out.rsp_kind = core.rsp_kind_o;
    out.rsp_tag = core.rsp_tag_o;
    out.rsp_port = core.rsp_port_o;
    out.rsp_choice = core.rsp_choice_o;
    out.rsp_scheme = core.rsp_scheme_o;
    out.rsp_reason = core.rsp_reason_o;
    out.rsp_data = core.rsp_data_o;
}

// One mutant over one stimulus. False at a difference; `clocks` counts on.
bool one(unsigned mutant, run &r, uint64_t &clocks, bool &started)
{
    VerilatedContext context;
    context.randReset(r.initial == 0 ? 0 : 2);
    context.randSeed(r.initial);
    Verilated::threadContextp(&context);
    Vegret_core core(&context);
    egret_bench *bench = nullptr;
    egret_bench_in in = {};
    egret_bench_out out = {};
    egret_bench_state state =
        egret_bench_open("mutant", &egret_built, plusarg, &r, &bench, &in);
    started = state == EGRET_BENCH_RUN;
    core.mutsel = static_cast<uint16_t>(mutant);
    while (state == EGRET_BENCH_RUN) {
        drive(core, in);
        core.clk_i = 0;
        core.eval();
        sample(core, out);
        state = egret_bench_clock(bench, &out, &in);
        core.clk_i = 1;
        core.eval();
        clocks++;
    }
    egret_bench_close(bench);
    core.final();
    return state == EGRET_BENCH_PASS;
}

bool read_runs(const char *path, std::vector<run> &runs)
{
    std::ifstream file(path);
    std::string line, word;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        run r = {};
        words >> r.name >> r.initial;
        while (words >> word)
            r.plusargs.push_back(word);
        runs.push_back(r);
    }
    return !runs.empty();
}

// What the engine printed to standard output, a file, since the last call: the line that says most.
std::string said()
{
    char printed[4096];
    std::fflush(stdout);
    const ssize_t n = pread(STDOUT_FILENO, printed, sizeof printed, 0);
    if (n < 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) < 0 || ftruncate(STDOUT_FILENO, 0) != 0)
        return "no text";
    std::istringstream lines(std::string(printed, static_cast<size_t>(n)));
    std::string line, best = "no text";
    while (std::getline(lines, line)) {
        if (line.find("DIFFERENCE") != std::string::npos)
            return line;
        if (line.compare(0, 6, "bench:") == 0)
            best = line;
    }
    return best;
}

} // namespace

double sc_time_stamp()
{
    return 0;
}

int main(int argc, char **argv)
{
    std::vector<run> runs;
    if (argc != 4 || !read_runs(argv[1], runs)) {
        std::fprintf(stderr, "usage: mutant_run RUNS FIRST LAST\n");
        return 2;
    }
    // The engine prints to standard output: what it says goes to a file, what we say elsewhere.
    FILE *verdicts = fdopen(dup(STDOUT_FILENO), "w");
    FILE *text = std::tmpfile();
    if (verdicts == nullptr || text == nullptr || dup2(fileno(text), STDOUT_FILENO) < 0) {
        std::fprintf(stderr, "mutant_run: no temporary file\n");
        return 2;
    }
    const unsigned last = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    for (unsigned m = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)); m <= last; m++) {
        uint64_t clocks = 0;
        const run *killer = nullptr;
        for (run &r : runs) {
            bool started = false;
            if (one(m, r, clocks, started))
                continue;
            if (!started) {
                std::fprintf(stderr, "mutant_run: %s: %s\n", r.name.c_str(), said().c_str());
                return 1;
            }
            killer = &r;
            break;
        }
        const std::string why = said();
        std::fprintf(verdicts, "%u %s %s %" PRIu64 " %s\n", m,
                     killer != nullptr ? "killed" : "survived",
                     killer != nullptr ? killer->name.c_str() : "-", clocks,
                     killer != nullptr ? why.c_str() : "-");
        std::fflush(verdicts);
    }
    return 0;
}
