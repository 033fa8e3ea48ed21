#include "cli/complaint.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace ippatsu::cli {

using nlohmann::ordered_json;

Complaint complaint_of(const std::string& file, std::string_view message) {
  if (message.starts_with(file + ": ")) message.remove_prefix(file.size() + 2);
  const size_t colon = message.find(": ");
  for (const std::string_view unit : {"byte ", "line ", "event ", "round "})
    if (message.starts_with(unit) && colon != message.npos)
      return {file, std::string(message.substr(0, colon)), std::string(message.substr(colon + 2))};
  return {file, "", std::string(message)};
}

std::string text_of(const Complaint& complaint) {
  std::string text = fmt::format("{}: {}{}{}", complaint.file, complaint.where,
                                 complaint.where.empty() ? "" : ": ", complaint.message);
  constexpr unsigned char kSpace = 0x20, kDelete = 0x7f;
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < kSpace || c == kDelete; }, '?');
  return text;
}

ordered_json json_of(const std::vector<Complaint>& complaints) {
  ordered_json list = ordered_json::array();
  for (const auto& [file, where, message] : complaints)
    list.push_back({{"file", file}, {"where", where}, {"message", message}});
  return list;
}

void print(const ordered_json& result) {
  std::cout << result.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace ippatsu::cli
