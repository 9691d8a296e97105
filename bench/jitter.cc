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

// A map of addresses that keeps order and both ends and stretches bands by different factors, in whole steps.
class AddressMap {
 public:
  AddressMap(std::int64_t capacity, std::int64_t step, Random& random)
      : capacity_(static_cast<double>(capacity)), step_(step), ends_(kBands + 1, 0) {
    for (std::size_t band = 0; band < kBands; ++band) {
      const auto stretch = static_cast<double>(1000 + random.Uniform(-kMaxPerMille, kMaxPerMille));
      ends_[band + 1] = ends_[band] + stretch;
    }
  }

  [[nodiscard]] std::int64_t operator()(std::int64_t address) const {
    const double place = static_cast<double>(address) / capacity_ * kBands;
    const auto band = std::min(static_cast<std::size_t>(place), kBands - 1);
    const double share = place - static_cast<double>(band);
    const double mapped = ends_[band] + share * (ends_[band + 1] - ends_[band]);
    return std::llround(mapped / ends_.back() * capacity_ / static_cast<double>(step_)) * step_;
  }

 private:
  static constexpr std::size_t kBands = 40;

  double capacity_;
  std::int64_t step_;
  std::vector<double> ends_;  // of bands, to scale
};

// Whether the buffer at `offset`, with its lifetime changed to that of `moved`, keeps clear of all others.
bool KeepsClear(const Problem& problem, const std::vector<std::int64_t>& offsets, std::size_t b,
                const Buffer& moved) {
  for (std::size_t a = 0; a < problem.buffers.size(); ++a) {
    const Buffer& other = problem.buffers[a];
    if (a == b || other.end <= moved.start || moved.end <= other.start) continue;
    if (offsets[a] < offsets[b] + moved.size && offsets[b] < offsets[a] + other.size) return false;
  }
  return true;
}

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

Problem JitteredPlacement(const Problem& problem, const std::vector<std::int64_t>& offsets,
                          std::int64_t capacity, Random& random) {
  const std::vector<std::int64_t> ticks = TicksOf(problem);
  const AddressMap map(capacity, StepOf(problem), random);
  Problem jittered = problem;
  std::vector<std::int64_t> mapped;
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    mapped.push_back(map(offsets[b]));
    jittered.buffers[b].size = map(offsets[b] + problem.buffers[b].size) - mapped[b];
  }
  for (std::size_t b = 0; b < offsets.size(); ++b) {
    Buffer moved = jittered.buffers[b];
    moved.start = MovedTick(random, ticks, moved.start);
    moved.end = MovedTick(random, ticks, moved.end);
    if (moved.start < moved.end && KeepsClear(jittered, mapped, b, moved)) jittered.buffers[b] = moved;
  }
  std::erase_if(jittered.buffers, [](const Buffer& buffer) { return buffer.size == 0; });
  return jittered;
}

}  // namespace telamalloc::bench
