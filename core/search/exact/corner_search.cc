// One loop over a stack of frames, one frame per corner. A frame's options are the units that may lie in its
// corner, then leaving it empty (corners.h); one of them holds in every placement worth looking at, so when
// all fail, the frame fails.
//
// A failure carries the sections on whose state it depends. An option that touched none of them is not to
// blame: the frame fails without trying the others (a jump). Otherwise the frame's own failure depends on
// what its options' failures do, and on the valley with its two walls, which say what the options are.
//
// Complete: a verdict of kExhausted says that the root failed, and each failure is one of: a corner without
// options, a state that failed before, a frame whose options fail, a component of a split that fails.
#include "search/exact/corner_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace telamalloc {
namespace {

constexpr std::int32_t kWaste = -1;
constexpr std::int64_t kStepsPerNode = 200;  // for Budget

// Skyline::rank holds both parts of a CornerRank.
std::int64_t Pack(const CornerRank& rank) {
  return 2 * static_cast<std::int64_t>(rank.options) + (rank.side == Side::kRight ? 1 : 0);
}
std::int64_t OptionsOf(std::int64_t rank) { return rank / 2; }
Side SideOf(std::int64_t rank) { return rank % 2 == 0 ? Side::kLeft : Side::kRight; }

}  // namespace

CornerSearch::CornerSearch(const CornerInstance& instance, std::int64_t capacity, const ExactRules& rules,
                           FailedStates& failed, std::vector<std::int64_t>& blame)
    : instance_(&instance),
      capacity_(capacity),
      rules_(rules),
      failed_(&failed),
      blame_(&blame),
      bits_(instance.section_count),
      skyline_(instance, capacity),
      corners_(skyline_, rules),
      components_(skyline_, bits_, rules),
      hash_(skyline_),
      rank_(instance.units.size(), 0) {}

void CornerSearch::Restart(std::vector<double> keys) {
  keys_ = std::move(keys);
  frames_.clear();
  options_.clear();
  skyline_.BacktrackTo(0);
  components_.Start(capacity_);
  RefreshParts();
}

CornerVerdict CornerSearch::Run(std::int64_t nodes, Budget& budget) {
  for (;;) {
    if (!components_.has_current()) {
      if (!components_.TakeNext()) return CornerVerdict::kSolved;
      EnterComponent();
    }
    if (nodes <= 0 || budget.SpendNode()) return CornerVerdict::kStopped;
    --nodes;
    ++nodes_;
    if (const std::optional<SectionSet> conflict = FailsAtOnce()) {
      if (!Backtrack(*conflict)) return CornerVerdict::kExhausted;
    } else {
      OpenFrame();
      TakeNextOption(frames_.back());
    }
    if (budget.Spend(kStepsPerNode)) return CornerVerdict::kStopped;
  }
}

// What the failure of the present state depends on, if it fails without a decision; else sets valley_.
std::optional<SectionSet> CornerSearch::FailsAtOnce() {
  if (rules_.memory) {
    if (const SectionSet* known = failed_->Find(hash_.Key(components_.current()))) return *known;
  }
  valley_ = ChooseValley();
  if (OptionsOf(skyline_.rank(valley_)) > 0) return std::nullopt;
  return Surroundings(valley_);
}

// The valley whose better corner has the fewest options, the lowest of those.
std::int32_t CornerSearch::ChooseValley() const {
  const Component& component = components_.current();
  std::int32_t best = -1;
  std::int64_t least_options = std::numeric_limits<std::int64_t>::max();
  std::int64_t lowest = 0;
  const std::int32_t last_word = (component.end - 1) >> 6;
  for (std::int32_t word = component.begin >> 6; word <= last_word; ++word) {
    std::uint64_t bits = skyline_.ranked_word(word);
    if (word == component.begin >> 6) bits &= ~std::uint64_t{0} << (component.begin & 63);
    if (word == last_word) bits &= ~std::uint64_t{0} >> (63 - ((component.end - 1) & 63));
    for (; bits != 0; bits &= bits - 1) {
      const std::int32_t l = word * 64 + std::countr_zero(bits);
      const std::int64_t options = OptionsOf(skyline_.rank(l));
      if (options > least_options) continue;
      if (options == least_options && skyline_.height(l) >= lowest) continue;
      best = l;
      least_options = options;
      lowest = skyline_.height(l);
    }
  }
  return best;
}

SectionSet CornerSearch::Surroundings(std::int32_t l) const {
  const std::int32_t r = skyline_.segment_end(l);
  return bits_.Range(skyline_.border(l) ? l : l - 1, skyline_.border(r) ? r : r + 1);
}

void CornerSearch::OpenFrame() {
  Frame frame;
  frame.trail = skyline_.mark();
  frame.components = components_.mark();
  frame.hash = hash_.value();
  frame.key = hash_.Key(components_.current());
  frame.first_of_component = entered_;
  entered_ = false;
  frame.l = valley_;
  frame.conflict = Surroundings(valley_);
  frame.option_begin = static_cast<std::int32_t>(options_.size());
  frame.next_option = frame.option_begin;
  const Side side = SideOf(skyline_.rank(valley_));
  frame.waste = corners_.List(valley_, side, options_);
  SortOptions(frame, side);
  if (frame.waste.allowed) options_.push_back(kWaste);
  frame.option_end = static_cast<std::int32_t>(options_.size());
  frames_.push_back(frame);
}

// By key, and by how flat a skyline the unit leaves: filling the valley's width, not standing above the wall,
// being level with it, each count as much as half the largest key.
void CornerSearch::SortOptions(const Frame& frame, Side side) {
  const auto begin = options_.begin() + frame.option_begin;
  if (options_.end() - begin < 2) return;
  double largest = 0;
  for (auto unit = begin; unit != options_.end(); ++unit) largest = std::max(largest, keys_[*unit]);
  const std::int32_t width = skyline_.segment_end(frame.l) - frame.l;
  const std::int64_t left = skyline_.left_wall(frame.l);
  const std::int64_t right = skyline_.right_wall(skyline_.segment_end(frame.l));
  const std::int64_t wall = side == Side::kLeft ? left : right;
  for (auto option = begin; option != options_.end(); ++option) {
    const CornerUnit& unit = instance_->units[*option];
    const std::int64_t top = skyline_.height(frame.l) + unit.size;
    const bool fills = unit.end - unit.begin == width;
    const bool level = top == wall || (fills && (top == left || top == right));
    const int flat = (fills ? 1 : 0) + (level ? 1 : 0) + (top <= wall ? 1 : 0);
    rank_[*option] = keys_[*option] + flat * largest / 2;
  }
  std::sort(begin, options_.end(), [&](std::int32_t a, std::int32_t b) {
    return rank_[a] > rank_[b] || (rank_[a] == rank_[b] && a < b);
  });
}

void CornerSearch::TakeNextOption(Frame& frame) {
  const std::int32_t option = options_[frame.next_option++];
  const std::int64_t floor = skyline_.height(frame.l);
  std::int32_t begin = frame.waste.begin;
  std::int32_t end = frame.waste.end;
  std::int32_t start = 0;
  if (option == kWaste) {
    hash_.Waste(begin, end, frame.waste.to - floor);
    start = skyline_.Waste(frame.l, begin, end, frame.waste.to);
  } else {
    begin = instance_->units[option].begin;
    end = instance_->units[option].end;
    hash_.Place(option, floor);
    start = skyline_.Place(frame.l, option);
  }
  frame.touched = bits_.Range(begin, end);
  if (option != kWaste && !components_.StillWhole(begin, end)) {
    components_.Split(static_cast<std::int32_t>(frames_.size()) - 1);
    RefreshParts();
    return;
  }
  if (!instance_->pins.empty()) hash_.Compute(components_.current());
  failed_->Prefetch(hash_.Key(components_.current()));
  RefreshAround(start, end);
}

// After a split: ranks the valleys of all parts, since their borders are new, and enters the first.
void CornerSearch::RefreshParts() {
  for (const std::int32_t c : components_.parts()) {
    RefreshAround(components_[c].begin, components_[c].end);
  }
  if (components_.has_current()) EnterComponent();
}

void CornerSearch::RefreshRank(std::int32_t l) {
  skyline_.SetRank(l, corners_.IsValley(l) ? Pack(corners_.Rank(l)) : Skyline::kNoRank);
}

// Ranks the segments from the one that starts at `start` up to section `end`, and the two beside them, whose
// walls may have changed.
void CornerSearch::RefreshAround(std::int32_t start, std::int32_t end) {
  std::int32_t l = skyline_.border(start) ? start : skyline_.segment_before(start);
  for (;;) {
    RefreshRank(l);
    const std::int32_t r = skyline_.segment_end(l);
    if (skyline_.border(r) || l >= end) break;
    l = r;
  }
}

void CornerSearch::EnterComponent() {
  hash_.Compute(components_.current());
  entered_ = true;
}

void CornerSearch::Undo(const Frame& frame) {
  skyline_.BacktrackTo(frame.trail);
  components_.BacktrackTo(frame.components);
  hash_.Restore(frame.hash);
}

void CornerSearch::DropFramesAbove(std::int32_t frame) {
  const auto kept = static_cast<std::size_t>(frame) + 1;
  if (kept >= frames_.size()) return;
  options_.resize(frames_[kept].option_begin);
  frames_.resize(kept);
}

// Goes back to the latest decision that `conflict` depends on and takes its next option. False if there is
// none: the root fails.
bool CornerSearch::Backtrack(SectionSet conflict) {
  conflict.Add(components_.current().borders);
  bool component_fails = entered_;
  entered_ = false;
  for (;;) {
    if (component_fails) {
      const std::int32_t creator = components_.current().creator;
      if (creator < 0) return false;
      DropFramesAbove(creator);
    }
    Frame& frame = frames_.back();
    Undo(frame);
    ++backtracks_;
    conflict.Add(components_.current().borders);
    if (!rules_.jumps || conflict.Meets(frame.touched)) {
      const std::int32_t option = options_[frame.next_option - 1];
      if (option != kWaste) ++(*blame_)[option];
      frame.conflict.Add(conflict);
      if (frame.next_option < frame.option_end) {
        TakeNextOption(frame);
        return true;
      }
      conflict = frame.conflict;
      conflict.Add(components_.current().borders);
    } else {
      ++jumps_;
    }
    if (rules_.memory) failed_->Add(frame.key, conflict);
    component_fails = frame.first_of_component;
    DropFramesAbove(static_cast<std::int32_t>(frames_.size()) - 2);
  }
}

}  // namespace telamalloc
