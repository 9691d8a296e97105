// Links the installed client library. Nobody listens at the address, so the call must fail as documented.
#include <chrono>
#include <cstdio>

#include "telamalloc/client.h"

int main() {
  const absl::StatusOr<telamalloc::Client> client =
      telamalloc::Client::Create("unix:/nonexistent/telamallocd.sock", {.max_attempts = 1});
  if (!client.ok()) return 1;
  const telamalloc::Problem problem = {.buffers = {{.start = 0, .end = 1, .size = 1}}, .capacity = 1};
  const absl::StatusOr<telamalloc::ClientResult> answer =
      client->Solve(problem, {.timeout = std::chrono::seconds(20)});
  std::puts(answer.status().ToString().c_str());
  return answer.status().code() == absl::StatusCode::kUnavailable ? 0 : 2;
}
