#pragma once

// Steps of somebody's program, watched one by one:
//
//     Examination examination({.subject = "model.pt"});
//     for (...) {
//       examination.begin_step();
//       step();                     // and wait until the device is done
//       examination.end_step();
//     }
//     examination.output("loss", difference_to_the_cpu);
//     std::cout << to_text(examination.report());

#include <string>
#include <vector>

#include "check/report.h"
#include "trace/journal.h"

namespace ippatsu::check {

struct ExaminationOptions {
  std::string subject;      // what is examined, for the heading
  double tolerance = 1e-3;  // of outputs, relative
};

class Examination {
 public:
  explicit Examination(ExaminationOptions options);

  void begin_step();
  void end_step();

  // An output of the step, and how far it is from the CPU's.
  void output(std::string name, double difference);

  // Instead of outputs: why they cannot be compared.
  void not_compared(std::string why);

  Report report() const;

 private:
  ExaminationOptions options_;
  std::vector<trace::Journal> steps_;
  std::vector<Output> outputs_;
  std::string not_compared_;
};

}  // namespace ippatsu::check
