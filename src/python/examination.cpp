// The port check as Python sees it: torch.classes.ippatsu.Examination.

#include "check/examination.h"

#include <ATen/ATen.h>
#include <torch/custom_class.h>
#include <torch/library.h>

#include "check/input_spec.h"
#include "check/present.h"
#include "ops/dtype.h"

namespace ippatsu::python {

namespace {

class Examination : public torch::CustomClassHolder {
 public:
  Examination(const std::string& subject, double tolerance)
      : examination_({.subject = subject, .tolerance = tolerance}) {}

  void begin_step() { examination_.begin_step(); }
  void end_step() { examination_.end_step(); }
  void output(const std::string& name, double difference) { examination_.output(name, difference); }
  void not_compared(const std::string& why) { examination_.not_compared(why); }

  std::string text() { return check::to_text(examination_.report()); }
  std::string json() { return check::to_json(examination_.report()); }
  std::string html() { return check::to_html(examination_.report()); }

 private:
  check::Examination examination_;
};

// On the host, by torch's own generator.
at::Tensor draw_input(std::string_view text) {
  const check::InputSpec spec = check::parse_input(text);
  const at::Tensor input =
      at::empty(spec.type.dims, at::dtype(ops::scalar_type_of(spec.type.dtype)));
  return check::is_drawn_from_a_range(spec) ? input.random_(spec.low, spec.high) : input.normal_();
}

TORCH_LIBRARY_FRAGMENT(ippatsu, library) {
  library.def("draw_input(str spec) -> Tensor", &draw_input);
  library.class_<Examination>("Examination")
      .def(torch::init<std::string, double>())
      .def("begin_step", &Examination::begin_step)
      .def("end_step", &Examination::end_step)
      .def("output", &Examination::output)
      .def("not_compared", &Examination::not_compared)
      .def("text", &Examination::text)
      .def("json", &Examination::json)
      .def("html", &Examination::html);
}

}  // namespace

}  // namespace ippatsu::python
