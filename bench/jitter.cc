#include "bench/jitter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "telamalloc/csv.h"

namespace telamalloc::bench {
namespace {

using testing::Random;

constexpr std::int64_t kMaxRanks = 2;       // that a start or an end moves
constexpr std::int64_t kMaxPerMille = 100;  // that a size changes by

// The ticks at which something starts or ends, ascending.
std::vector<std::int64_t> TicksOf(const Problem& problem) {
  std::vector<std::int64_t> ticks;
  for (const Buffer& buffer : problem.buffers) ticks.insert(ticks.end(), {buffer.start, buffer.end});
  std::ranges::sort(ticks);
  ticks.erase(std::ranges::unique(ticks).begin(), ticks.end());
  return ticks;
}

std::int64_t StepOf(const Problem& problem) {
  std::int64_t step = 0;
  for (const Buffer& buffer : problem.buffers) step = std::gcd(step, buffer.size);
  return std::max<std::int64_t>(step, 1);
}

std::int64_t Rank(const std::vector<std::int64_t>& ticks, std::int64_t tick) {
  return std::ranges::lower_bound(ticks, tick) - ticks.begin();
}

std::int64_t MovedTick(Random& random, const std::vector<std::int64_t>& ticks, std::int64_t tick) {
  const std::int64_t rank = Rank(ticks, tick) + random.Uniform(-kMaxRanks, kMaxRanks);
  return ticks[std::clamp<std::int64_t>(rank, 0, std::ssize(ticks) - 1)];
}

// Live bytes between one tick and the next.
class Loads {
 public:
  explicit Loads(const Problem& problem) : ticks_(TicksOf(problem)), loads_(ticks_.size(), 0) {
    for (const Buffer& buffer : problem.buffers) Add(buffer, buffer.size);
  }

  void Add(const Buffer& buffer, std::int64_t bytes) {
    for (std::int64_t& load : Of(buffer)) load += bytes;
  }

  // The tick after which most bytes are live, and how many.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> Worst() const {
    const auto worst = std::ranges::max_element(loads_);
    if (worst == loads_.end()) return {0, 0};
    return {ticks_[worst - loads_.begin()], *worst};
  }

 private:
  std::span<std::int64_t> Of(const Buffer& buffer) {
    const std::int64_t first = Rank(ticks_, buffer.start);
    return std::span(loads_).subspan(first, Rank(ticks_, buffer.end) - first);
  }

  std::vector<std::int64_t> ticks_;
  std::vector<std::int64_t> loads_;
};

// Takes `excess` of the `total` bytes of `buffers` away, from each its share in whole steps, but leaves it
// one; if all are at one step already, the first loses it.
void Shrink(const std::vector<Buffer*>& buffers, std::int64_t total, std::int64_t excess, std::int64_t step) {
  const double share = static_cast<double>(excess) / static_cast<double>(total);
  std::int64_t left = excess;
  for (Buffer* buffer : buffers) {
    const double steps = std::ceil(static_cast<double>(buffer->size / step) * share);
    const std::int64_t cut = std::min(
        {static_cast<std::int64_t>(steps) * step, buffer->size - step, (left + step - 1) / step * step});
    buffer->size -= cut;
    left -= cut;
  }
  if (left == excess) buffers.front()->size = 0;
}

// Buffers pushed down one by one, each above all earlier ones that it meets in time.
class PushedDown {
 public:
  PushedDown(const Problem& problem, const std::vector<std::size_t>& order)
      : tops_(problem.buffers.size(), 0), below_(problem.buffers.size(), -1) {
    const std::vector<Buffer>& buffers = problem.buffers;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t b = order[k];
      if (buffers[b].size == 0) continue;
      for (std::size_t j = 0; j < k; ++j) {
        const std::size_t a = order[j];
        if (buffers[a].end <= buffers[b].start || buffers[b].end <= buffers[a].start) continue;
        if (tops_[a] <= tops_[b]) continue;
        tops_[b] = tops_[a];
        below_[b] = static_cast<std::ptrdiff_t>(a);
      }
      tops_[b] += buffers[b].size;
    }
  }

  [[nodiscard]] std::int64_t Peak() const { return tops_.empty() ? 0 : *std::ranges::max_element(tops_); }

  // The buffers one on the other that reach the peak.
  [[nodiscard]] std::vector<std::size_t> HighestChain() const {
    std::vector<std::size_t> chain;
    for (std::ptrdiff_t b = std::ranges::max_element(tops_) - tops_.begin(); b >= 0; b = below_[b]) {
      chain.push_back(static_cast<std::size_t>(b));
    }
    return chain;
  }

 private:
  std::vector<std::int64_t> tops_;
  std::vector<std::ptrdiff_t> below_;  // the one that it stands on; -1: address 0
};

}  // namespace

absl::StatusOr<Problem> ReadProblemFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  std::ostringstream text;
  text << file.rdbuf();
  absl::StatusOr<Problem> problem = ReadProblemCsv(text.str());
  if (problem.ok()) problem->name = std::filesystem::path(path).stem().string();
  return problem;
}

Problem Jittered(const Problem& problem, Random& random) {
  const std::vector<std::int64_t> ticks = TicksOf(problem);
  const std::int64_t step = StepOf(problem);
  Problem jittered = {.buffers = {}, .capacity = problem.capacity, .name = problem.name};
  for (const Buffer& buffer : problem.buffers) {
    Buffer moved = {.start = MovedTick(random, ticks, buffer.start),
                    .end = MovedTick(random, ticks, buffer.end),
                    .size = buffer.size,
                    .alignment = buffer.alignment,
                    .id = buffer.id};
    if (moved.start >= moved.end) {
      moved.start = buffer.start;
      moved.end = buffer.end;
    }
    const std::int64_t per_mille = random.Uniform(-kMaxPerMille, kMaxPerMille);
    const double steps =
        static_cast<double>(buffer.size / step) * (1 + static_cast<double>(per_mille) / 1000);
    if (buffer.size > 0) moved.size = step * std::max<std::int64_t>(1, std::llround(steps));
    jittered.buffers.push_back(std::move(moved));
  }
  return jittered;
}

Problem WithinLoad(Problem problem, std::int64_t capacity) {
  const std::int64_t step = StepOf(problem);
  Loads loads(problem);
  for (auto [tick, load] = loads.Worst(); load > capacity; std::tie(tick, load) = loads.Worst()) {
    std::vector<Buffer*> live;
    for (Buffer& buffer : problem.buffers) {
      if (buffer.start <= tick && tick < buffer.end && buffer.size > 0) live.push_back(&buffer);
    }
    for (const Buffer* buffer : live) loads.Add(*buffer, -buffer->size);
    Shrink(live, load, load - capacity, step);
    for (const Buffer* buffer : live) loads.Add(*buffer, buffer->size);
  }
  std::erase_if(problem.buffers, [](const Buffer& buffer) { return buffer.size == 0; });
  return problem;
}

Problem WithinPlacement(Problem problem, const std::vector<std::int64_t>& offsets, std::int64_t capacity) {
  const std::int64_t step = StepOf(problem);
  std::vector<std::size_t> order(offsets.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::less{}, [&](std::size_t b) { return offsets[b]; });
  for (PushedDown down(problem, order); down.Peak() > capacity; down = PushedDown(problem, order)) {
    std::vector<Buffer*> chain;
    for (const std::size_t b : down.HighestChain()) chain.push_back(&problem.buffers[b]);
    Shrink(chain, down.Peak(), down.Peak() - capacity, step);
  }
  std::erase_if(problem.buffers, [](const Buffer& buffer) { return buffer.size == 0; });
  return problem;
}

}  // namespace telamalloc::bench
