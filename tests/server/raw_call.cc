#include "server/raw_call.h"

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace telamalloc::server {
namespace {

grpc::ByteBuffer ToBuffer(const std::string& text) {
  const grpc::Slice slice(text);
  return {&slice, 1};
}

std::string FromBuffer(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string text;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return text;
  for (const grpc::Slice& slice : slices) {
    text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return text;
}

}  // namespace

RawReply RawCall(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                 const std::string& message, grpc_compression_algorithm compression) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(1));
  context.set_compression_algorithm(compression);
  grpc::CompletionQueue queue;
  // One operation at a time: each returns before the next begins.
  const auto finished = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  void* const tag = &queue;
  grpc::GenericStub stub(channel);
  const auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(tag);
  RawReply reply;
  if (finished()) {
    call->Write(ToBuffer(message), tag);
    finished();
    call->WritesDone(tag);
    finished();
    grpc::ByteBuffer received;
    call->Read(&received, tag);
    if (finished()) reply.message = FromBuffer(received);
  }
  call->Finish(&reply.status, tag);
  finished();
  return reply;
}

}  // namespace telamalloc::server
