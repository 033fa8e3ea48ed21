#include "base/log.h"

#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "base/environment.h"

namespace ippatsu {

namespace {

std::shared_ptr<spdlog::logger> make_logger() {
  auto logger = std::make_shared<spdlog::logger>(
      "ippatsu", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%^%l%$: %v");
  logger->set_level(spdlog::level::from_str(environment(Variable::Log).value_or("info")));
  return logger;
}

}  // namespace

spdlog::logger& log() {
  static const std::shared_ptr<spdlog::logger> logger = make_logger();
  return *logger;
}

}  // namespace ippatsu
