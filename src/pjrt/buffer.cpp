#include "pjrt/buffer.h"

#include "base/log.h"
#include "pjrt/call.h"
#include "pjrt/client.h"

namespace ippatsu::pjrt {

namespace {

// Dense and row-major: the last dimension varies fastest.
hlo::Dims minor_to_major(size_t rank) {
  hlo::Dims order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  return order;
}

PJRT_Buffer_MemoryLayout untiled(const hlo::Dims& order) {
  auto layout = PJRT_NEW(PJRT_Buffer_MemoryLayout);
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled = PJRT_NEW(PJRT_Buffer_MemoryLayout_Tiled);
  layout.tiled.minor_to_major = order.data();
  layout.tiled.minor_to_major_size = order.size();
  return layout;
}

}  // namespace

PendingDownload& PendingDownload::operator=(PendingDownload&& other) noexcept {
  finish();
  done_ = std::move(other.done_);
  return *this;
}

PendingDownload::~PendingDownload() { finish(); }

void PendingDownload::wait() {
  // Whatever comes of it, there is nothing to wait for afterwards.
  const Event done = std::move(done_);
  done.wait();
}

void PendingDownload::finish() noexcept {
  try {
    wait();
  } catch (const std::exception& error) {
    log().error("a download that nobody waited for failed: {}", error.what());
  }
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  handle_ = std::move(other.handle_);
  placement_ = std::move(other.placement_);
  memory_ = std::move(other.memory_);
  return *this;
}

int64_t Buffer::bytes_on_device() const {
  auto args = PJRT_NEW(PJRT_Buffer_OnDeviceSizeInBytes_Args);
  args.buffer = handle_.get();
  call(api(), &PJRT_Api::PJRT_Buffer_OnDeviceSizeInBytes, args);
  return static_cast<int64_t>(args.on_device_size_in_bytes);
}

PendingDownload Buffer::download(std::span<std::byte> destination) const {
  if (std::ssize(destination) != type().bytes())
    fail("{} takes {} bytes of host memory, not {}", to_string(type()), type().bytes(),
         destination.size());
  const hlo::Dims order = minor_to_major(type().dims.size());
  PJRT_Buffer_MemoryLayout layout = untiled(order);
  std::byte nothing;
  auto args = PJRT_NEW(PJRT_Buffer_ToHostBuffer_Args);
  args.src = handle_.get();
  args.host_layout = &layout;
  // Null would ask for the size instead, and the data of an empty span may be null.
  args.dst = destination.empty() ? &nothing : destination.data();
  args.dst_size = destination.size();
  call(api(), &PJRT_Api::PJRT_Buffer_ToHostBuffer, args);
  PendingDownload download(Event(client(), {args.event, {api()}}));
  if (destination.empty()) download.wait();
  return download;
}

Buffer Buffer::copy_to(const Device& device) const {
  client()->check_device(device);
  auto args = PJRT_NEW(PJRT_Buffer_CopyToDevice_Args);
  args.buffer = handle_.get();
  args.dst_device = device.handle();
  call(api(), &PJRT_Api::PJRT_Buffer_CopyToDevice, args);
  Handle<PJRT_Buffer> copy(args.dst_buffer, {api()});
  return {std::make_shared<Placement>(Placement{client(), type(), &device}), std::move(copy)};
}

Event Buffer::ready() const {
  auto args = PJRT_NEW(PJRT_Buffer_ReadyEvent_Args);
  args.buffer = handle_.get();
  call(api(), &PJRT_Api::PJRT_Buffer_ReadyEvent, args);
  return {client(), {args.event, {api()}}};
}

bool Buffer::deleted() const {
  auto args = PJRT_NEW(PJRT_Buffer_IsDeleted_Args);
  args.buffer = handle_.get();
  return call(api(), &PJRT_Api::PJRT_Buffer_IsDeleted, args).is_deleted;
}

}  // namespace ippatsu::pjrt
