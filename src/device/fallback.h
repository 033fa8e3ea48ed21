#pragma once

namespace ippatsu::device {

// Ops without a row run on the host: counted in the metrics, warned of once each, or refused in
// strict mode.
void register_fallback();

void set_strict(bool on);

}  // namespace ippatsu::device
