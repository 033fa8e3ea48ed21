#include "nets/net_adviser.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/error.h"
#include "base/file.h"
#include "train/checkpoint.h"

namespace ippatsu::nets {

using namespace mahjong;

namespace {

std::string sha256_of(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(file.bytes().data(), file.bytes().size(), digest.data(), nullptr, EVP_sha256(),
                 nullptr) != 1)
    fail("{}: no SHA-256 of it could be computed", path.string());
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace

NetAdviser::NetAdviser(const std::filesystem::path& path, torch::Device device)
    : evaluator_(train::load_model(path, device), device),
      facts_{.name = name_of_net(path),
             .what = fmt::format("NAGA, {} policy", name_of(evaluator_.policy())),
             .sha256 = sha256_of(path),
             .discards_only = evaluator_.policy() == Policy::Discard} {}

void NetAdviser::advise(std::span<const DecisionView> decisions,
                        std::span<analysis::Opinion> opinions) {
  const torch::Tensor probabilities = torch::softmax(evaluator_.logits(decisions), 1);
  const auto values = probabilities.accessor<float, 2>();
  for (size_t i = 0; i < decisions.size(); ++i) {
    opinions[i] = {};
    for (int64_t action = 0; action < values.size(1); ++action)
      opinions[i].probability[static_cast<size_t>(action)] =
          values[static_cast<int64_t>(i)][action];
  }
}

}  // namespace ippatsu::nets
