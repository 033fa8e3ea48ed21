#include "pjrt/default_flags.h"

#include <cstdlib>

#include "base/environment.h"

namespace ippatsu::pjrt {

namespace {

constexpr const char* kFlag = "--xla_backend_extra_options";
constexpr const char* kOption = "xla_cpu_disable_new_fusion_emitters";

}  // namespace

// The flag takes a list that replaces an earlier one as a whole, so ours is not added to a user's.
DefaultFlags::DefaultFlags() : users_(environment(Variable::XlaFlags)) {
  const std::string users = users_.value_or("");
  if (users.find(kFlag) != users.npos) return;
  const std::string flags = std::string(kFlag) + "=" + kOption + " " + users;
  ::setenv(name_of(Variable::XlaFlags), flags.c_str(), /*overwrite=*/1);
}

DefaultFlags::~DefaultFlags() {
  if (users_)
    ::setenv(name_of(Variable::XlaFlags), users_->c_str(), /*overwrite=*/1);
  else
    ::unsetenv(name_of(Variable::XlaFlags));
}

}  // namespace ippatsu::pjrt
