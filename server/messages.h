// Requests that may outlive their RPC.
//
// gRPC frees a request when its RPC is done, and that may be while a thread of ours still reads it: the reply
// to a large request can leave at its deadline in the middle of the conversion. So the memory is ours, on an
// arena (a million small messages are freed at once), and who reads it shares it.
#ifndef TELAMALLOC_SERVER_MESSAGES_H_
#define TELAMALLOC_SERVER_MESSAGES_H_

#include <google/protobuf/arena.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/message_allocator.h>

#include <memory>
#include <utility>

namespace telamalloc::server {

template <typename Request>
struct RequestMemory {
  google::protobuf::Arena arena;
  const Request* request = nullptr;
};

// What gRPC holds for one RPC.
template <typename Request, typename Response>
class Messages final : public grpc::MessageHolder<Request, Response> {
 public:
  Messages() : memory_(std::make_shared<RequestMemory<Request>>()) {
    auto* request = google::protobuf::Arena::CreateMessage<Request>(&memory_->arena);
    memory_->request = request;
    this->set_request(request);
    this->set_response(&response_);
  }

  // gRPC is done with the RPC.
  void Release() override { delete this; }

  // Takes the request over, once, in the method handler.
  static std::shared_ptr<const RequestMemory<Request>> TakeRequest(grpc::CallbackServerContext& context) {
    return std::move(static_cast<Messages*>(context.GetRpcAllocatorState())->memory_);
  }

 private:
  std::shared_ptr<RequestMemory<Request>> memory_;
  Response response_;
};

template <typename Request, typename Response>
class MessagesAllocator final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override {
    return new Messages<Request, Response>();
  }
};

}  // namespace telamalloc::server

#endif  // TELAMALLOC_SERVER_MESSAGES_H_
