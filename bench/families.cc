// A network is written down layer by layer: Net gives each layer a tick, and a buffer lives from the layer
// that writes it to the last one that reads it.
#include "bench/families.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bench/jitter.h"
#include "support/random_problem.h"
#include "telamalloc/solver.h"

namespace telamalloc::bench {
namespace {

using testing::Random;

constexpr std::int64_t kStep = 64;  // bytes; sizes are multiples

class Net {
 public:
  // The next layer: writes a tensor of about `bytes` that is read by the next layer at least.
  std::size_t Layer(std::int64_t bytes) {
    problem_.buffers.push_back({.start = tick_,
                                .end = tick_ + 2,
                                .size = std::max<std::int64_t>(1, bytes / kStep) * kStep,
                                .id = absl::StrCat("t", problem_.buffers.size())});
    ++tick_;
    return problem_.buffers.size() - 1;
  }

  // Memory that the last layer needs while it runs.
  void Scratch(std::int64_t bytes) {
    Layer(bytes);
    --tick_;
    problem_.buffers.back().start = tick_ - 1;
    problem_.buffers.back().end = tick_;
  }

  // The next layer reads `tensor` too.
  void Read(std::size_t tensor) {
    problem_.buffers[tensor].end = std::max(problem_.buffers[tensor].end, tick_ + 1);
  }

  [[nodiscard]] Problem Take() { return std::move(problem_); }

 private:
  Problem problem_;
  std::int64_t tick_ = 0;
};

Problem RandomBuffers(std::uint64_t seed) {
  return testing::RandomProblem(seed, {.buffers = 40, .ticks = 20, .max_size = 30});
}

Problem Conv(std::uint64_t seed) {
  Random random(seed);
  Net net;
  std::vector<std::size_t> layers;
  for (int stage = 0; stage < 5; ++stage) {
    for (std::int64_t layer = random.Uniform(8, 16); layer > 0; --layer) {
      const std::int64_t back = random.Uniform(2, 6);
      if (std::ssize(layers) >= back && random.OneIn(2)) net.Read(layers[layers.size() - back]);
      layers.push_back(net.Layer((random.Uniform(24, 64) * 1024) >> stage));
      if (random.OneIn(3)) net.Scratch((random.Uniform(4, 32) * 1024) >> stage);
    }
  }
  return net.Take();
}

Problem Inception(std::uint64_t seed) {
  Random random(seed);
  Net net;
  std::size_t input = net.Layer(65536);
  for (int block = 0; block < 10; ++block) {
    std::vector<std::size_t> ends;
    for (int branch = 0; branch < 4; ++branch) {
      net.Read(input);
      std::size_t last = net.Layer(random.Uniform(4, 32) * 512);
      for (std::int64_t depth = random.Uniform(0, 3); depth > 0; --depth) {
        net.Read(last);
        last = net.Layer(random.Uniform(4, 48) * 512);
      }
      ends.push_back(last);
    }
    for (const std::size_t end : ends) net.Read(end);
    input = net.Layer(random.Uniform(24, 64) * 1024);
  }
  return net.Take();
}

Problem Transformer(std::uint64_t seed) {
  Random random(seed);
  Net net;
  const std::int64_t width = random.Uniform(8, 32) * 512;
  std::size_t stream = net.Layer(width);
  for (int block = 0; block < 8; ++block) {
    const std::size_t norm = net.Layer(width);
    std::array<std::size_t, 3> qkv{};
    for (std::size_t& tensor : qkv) {
      net.Read(norm);
      tensor = net.Layer(width * random.Uniform(1, 4) / 4);
    }
    const std::int64_t scores = random.Uniform(8, 64) * 1024;
    for (const std::size_t tensor : {qkv[0], qkv[1]}) net.Read(tensor);
    net.Layer(scores);
    if (random.OneIn(2)) net.Layer(scores);  // masked, not in place
    net.Read(qkv[2]);
    net.Layer(width);
    net.Read(stream);
    stream = net.Layer(width);
    net.Layer(width * random.Uniform(2, 5));
    if (random.OneIn(2)) net.Scratch(random.Uniform(1, 64) * 512);
    net.Read(stream);
    stream = net.Layer(width);
  }
  return net.Take();
}

Problem UNet(std::uint64_t seed) {
  Random random(seed);
  Net net;
  std::vector<std::size_t> down;
  constexpr int kDepth = 12;
  for (int level = 0; level < kDepth; ++level) {
    for (std::int64_t layer = random.Uniform(1, 3); layer > 0; --layer) {
      net.Layer((random.Uniform(16, 64) * 2048) >> (level / 3));
    }
    down.push_back(net.Layer((random.Uniform(16, 64) * 1024) >> (level / 3)));
  }
  for (int level = kDepth - 1; level >= 0; --level) {
    net.Read(down[level]);
    net.Layer((random.Uniform(16, 64) * 2048) >> (level / 3));
    if (random.OneIn(2)) net.Scratch((random.Uniform(1, 32) * 1024) >> (level / 3));
  }
  return net.Take();
}

Problem Tiling(std::uint64_t seed) {
  Random random(seed);
  Problem problem =
      testing::Shuffled(testing::CutRectangle(random, {.parts = 60, .ticks = 200, .bytes = 2000}), random);
  for (Buffer& buffer : problem.buffers) buffer.offset_hint.reset();
  return problem;
}

Problem Perturbed(std::uint64_t seed) {
  constexpr std::array kModels = {&Conv, &Inception, &Transformer, &UNet};
  Random random(seed);
  return Jittered(kModels[seed % kModels.size()](seed), random);
}

}  // namespace

std::span<const Family> Families() {
  static const auto* const kFamilies =
      new std::vector<Family>{{.name = "random", .make = &RandomBuffers, .percents = {100, 101, 105, 110}},
                              {.name = "conv", .make = &Conv, .percents = {100, 105, 110}},
                              {.name = "inception", .make = &Inception, .percents = {100, 105, 110}},
                              {.name = "transformer", .make = &Transformer, .percents = {100, 105, 110}},
                              {.name = "unet", .make = &UNet, .percents = {100, 105, 110}},
                              {.name = "tiling", .make = &Tiling, .percents = {100, 105, 110}},
                              {.name = "perturbed", .make = &Perturbed, .percents = {100, 105, 110}}};
  return *kFamilies;
}

Problem MakeInstance(const Family& family, std::uint64_t seed, std::int64_t percent) {
  Problem problem = family.make(seed);
  const std::int64_t load = PreparedProblem::Create(problem)->lower_bound();
  problem.capacity = load + load * (percent - 100) / 100;
  return problem;
}

}  // namespace telamalloc::bench
