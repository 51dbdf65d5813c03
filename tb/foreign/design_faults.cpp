// SPDX-License-Identifier: Apache-2.0
// Designs that break egret_design's rules, by DESIGN_FAULT: egret check must end with exit code 3
// and say which rule. silent: no answer ever; extra: an answer in each clock, before any packet,
// too; stuck: never ready; wrong: one answer a packet, port 0.
#include <cstdlib>

#include "egret/design.hpp"

struct faulty : egret_design {
    const char *fault = std::getenv("DESIGN_FAULT");
    bool asked = false, answer = false;

    bool is(const char *name) const
    {
        return fault && std::strcmp(fault, name) == 0;
    }
    void clock() override
    {
        answer = (asked && !is("silent")) || is("extra");
    }
    void idle() override
    {
        asked = false;
    }
    void reset() override
    {
    }
    void packet(const egret_event &) override
    {
        asked = !is("stuck");
    }
    bool ready() override
    {
        return !is("stuck") && !is("extra");
    }
    bool result(egret_decision &d) override
    {
        d.port = 0;
        return answer;
    }
};
EGRET_DESIGN(faulty, "faulty")
