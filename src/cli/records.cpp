#include "cli/records.h"

#include "cli/selfplay.h"

namespace ippatsu::cli {

void add_records_command(CLI::App& app) {
  CLI::App* records = app.add_subcommand("records", "Work with game records");
  records->require_subcommand(1);
  add_records_info(*records);
  add_records_check(*records);
  add_records_convert(*records);
  add_records_generate(*records);
}

}  // namespace ippatsu::cli
