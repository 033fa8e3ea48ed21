#pragma once

// The side of the throughput sweep that trains: a process of its own per device, told over its
// standard input what to do, a JSON object a line.
//
//     -> {"prepare": 64}          a fresh model, steps at that batch size until they run at full
//     speed
//     <- {"compile_seconds": 4.2, "step_seconds": 0.07}
//     -> {"steps": 20}            timed from the first to the end of the last on the device
//     <- {"seconds": 1.4, "loss": 2.1}

#include <istream>
#include <ostream>

#include "train/learner.h"

namespace ippatsu::train {

// Says hello with what it runs on, then answers until the input ends. A request that makes no sense
// is answered with {"error": ...}.
void serve_sweep(std::istream& requests, std::ostream& answers, const LearnerOptions& options);

}  // namespace ippatsu::train
