// The picture is a lattice of characters; the squares between four of them belong to a buffer or to nobody.
//
//        square | square       A character is the line between its four squares: its arm upward is drawn if
//        -------+-------       the two squares above differ, and so on; the four arms pick one of sixteen
//        square | square       box-drawing characters. Touching buffers thus share their border.
//
// A rectangle is rounded to the lattice edge by edge, so that what touches in the problem touches here.
#include "client/cli/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/drawing.h"
#include "client/cli/printable.h"
#include "client/cli/report.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {
namespace {

constexpr int kLineWidth = 80;
constexpr int kMaxRows = 24;
constexpr std::ptrdiff_t kNobody = -1;

// By arms: 1 up, 2 right, 4 down, 8 left.
constexpr std::array<const char*, 16> kLines = {" ", "╵", "╶", "└", "╷", "│", "┌", "├",
                                                "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};

// A rectangle in lattice steps: squares [left, right) x [bottom, top).
struct Box {
  std::size_t buffer = 0;
  int left = 0;
  int right = 0;
  int bottom = 0;
  int top = 0;
  [[nodiscard]] bool visible() const { return left < right && bottom < top; }
};

// How many lattice steps show `length` units: whole steps per unit when that leaves a picture of some size.
int StepsFor(double length, int most) {
  const int per_unit = length < most ? static_cast<int>(most / length) : 0;
  return per_unit == 0 ? most : per_unit * static_cast<int>(length);
}

class Lattice {
 public:
  Lattice(const Problem& problem, std::span<const std::int64_t> offsets)
      : problem_(&problem), drawing_(MakeDrawing(problem, offsets)) {
    margin_ = static_cast<int>(absl::StrCat(drawing_.peak).size()) + 1;
    duration_ = static_cast<double>(drawing_.end) - static_cast<double>(drawing_.start);
    columns_ = StepsFor(duration_, kLineWidth - margin_ - 1);
    rows_ = StepsFor(static_cast<double>(std::max<std::int64_t>(drawing_.peak, 1)), kMaxRows);
    owners_.assign(Squares(rows_ + 2), kNobody);
    for (const Rectangle& rectangle : drawing_.rectangles) Place(rectangle);
  }

  std::string Draw() {
    std::vector<std::vector<std::string>> text(rows_ + 1, std::vector<std::string>(columns_ + 1));
    for (int row = 0; row <= rows_; ++row) {
      for (int column = 0; column <= columns_; ++column) text[row][column] = kLines[Arms(row, column)];
    }
    for (const Box& box : boxes_) Label(box, text);
    std::string out;
    for (int row = rows_; row >= 0; --row) {
      std::string line = Margin(row);
      for (const std::string& character : text[row]) line += character;
      line.erase(line.find_last_not_of(' ') + 1);
      absl::StrAppend(&out, line, "\n");
    }
    absl::StrAppend(&out, TimeAxis(), Summary());
    return out;
  }

 private:
  [[nodiscard]] int Column(std::int64_t tick) const {
    const double share = (static_cast<double>(tick) - static_cast<double>(drawing_.start)) / duration_;
    return static_cast<int>(std::lround(share * columns_));
  }
  [[nodiscard]] int Row(std::int64_t bytes) const {
    const double share =
        static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(drawing_.peak, 1));
    return static_cast<int>(std::lround(share * rows_));
  }

  // The squares of that many rows.
  [[nodiscard]] std::size_t Squares(int rows) const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns_ + 2);
  }

  // The owner of the square right of column `column` - 1 and above row `row` - 1; there is a frame of nobody.
  std::ptrdiff_t& Owner(int row, int column) {
    return owners_[Squares(row) + static_cast<std::size_t>(column)];
  }

  void Place(const Rectangle& rectangle) {
    const Box box = {.buffer = rectangle.buffer,
                     .left = Column(rectangle.start),
                     .right = Column(rectangle.end),
                     .bottom = Row(rectangle.lower),
                     .top = Row(rectangle.upper)};
    if (!box.visible()) {
      ++hidden_;
      return;
    }
    for (int row = box.bottom; row < box.top; ++row) {
      for (int column = box.left; column < box.right; ++column) {
        Owner(row + 1, column + 1) = static_cast<std::ptrdiff_t>(box.buffer);
      }
    }
    boxes_.push_back(box);
  }

  unsigned Arms(int row, int column) {
    const std::ptrdiff_t lower_left = Owner(row, column);
    const std::ptrdiff_t lower_right = Owner(row, column + 1);
    const std::ptrdiff_t upper_left = Owner(row + 1, column);
    const std::ptrdiff_t upper_right = Owner(row + 1, column + 1);
    return (upper_left != upper_right ? 1U : 0U) | (upper_right != lower_right ? 2U : 0U) |
           (lower_left != lower_right ? 4U : 0U) | (upper_left != lower_left ? 8U : 0U);
  }

  // The id in the middle of the box, where it has an inside.
  void Label(const Box& box, std::vector<std::vector<std::string>>& text) const {
    const int room = box.right - box.left - 1;
    if (room < 1 || box.top - box.bottom < 2) return;
    const std::vector<std::string> label =
        Characters(Shortened(BufferName(*problem_, box.buffer), static_cast<std::size_t>(room)));
    const int row = (box.bottom + box.top) / 2;
    const int column = box.left + 1 + (room - static_cast<int>(label.size())) / 2;
    for (std::size_t k = 0; k < label.size(); ++k) text[row][column + static_cast<int>(k)] = label[k];
  }

  // The address at the bottom, the top and the quarters.
  [[nodiscard]] std::string Margin(int row) const {
    std::string label;
    const int quarter = std::max(rows_ / 4, 1);
    if (row == rows_) {
      label = absl::StrCat(drawing_.peak);
    } else if (row % quarter == 0 && rows_ - row >= quarter) {
      label = absl::StrCat(static_cast<std::int64_t>(static_cast<double>(drawing_.peak) * row / rows_));
    }
    return absl::StrCat(std::string(static_cast<std::size_t>(margin_) - 1 - label.size(), ' '), label, " ");
  }

  [[nodiscard]] std::string TimeAxis() const {
    const std::string start = absl::StrCat(drawing_.start);
    const std::string end = absl::StrCat(drawing_.end);
    const int space = columns_ + 1 - static_cast<int>(start.size() + end.size());
    return absl::StrCat(std::string(static_cast<std::size_t>(margin_), ' '), start,
                        std::string(static_cast<std::size_t>(std::max(space, 1)), ' '), end, "\n");
  }

  [[nodiscard]] std::string Summary() const {
    std::string text = SizeText(*problem_, drawing_.peak);
    if (hidden_ > 0) absl::StrAppend(&text, " (", hidden_, " rectangles too thin to show)");
    return absl::StrCat(text, "\n");
  }

  const Problem* problem_;
  Drawing drawing_;
  int margin_ = 0;
  double duration_ = 1;
  int columns_ = 1;
  int rows_ = 1;
  int hidden_ = 0;
  std::vector<std::ptrdiff_t> owners_;
  std::vector<Box> boxes_;
};

}  // namespace

std::string DrawPicture(const Problem& problem, std::span<const std::int64_t> offsets) {
  return Lattice(problem, offsets).Draw();
}

}  // namespace telamalloc::cli
