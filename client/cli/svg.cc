// One pass over the rectangles of the drawing. Coordinates are doubles: ticks and addresses may span all 64
// bits, whose differences would not fit in them.
//
// Colours step around the hue circle by the golden angle, so that buffers near in the input differ most.
#include "client/cli/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "client/cli/drawing.h"
#include "client/cli/printable.h"
#include "client/cli/report.h"
#include "telamalloc/problem.h"

namespace telamalloc::cli {
namespace {

constexpr double kWidth = 1000;
constexpr double kHeight = 560;
constexpr double kLeft = 130;
constexpr double kRight = 24;
constexpr double kTop = 44;
constexpr double kBottom = 48;
constexpr double kLetterWidth = 6.6;  // of the 11 px label font
constexpr double kLabelHeight = 13;

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(Shortened(text, 200),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Pastel, from HSL(hue, 62 %, 76 %).
std::string ColourOf(std::size_t buffer) {
  const double hue = std::fmod(static_cast<double>(buffer) * 137.508, 360.0);
  const auto channel = [hue](double shift) {
    constexpr double kLightness = 0.76;
    constexpr double kAmplitude = 0.62 * (1 - kLightness);
    const double k = std::fmod(shift + hue / 30, 12.0);
    const double value = kLightness - kAmplitude * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return static_cast<int>(std::lround(value * 255));
  };
  return absl::StrFormat("#%02x%02x%02x", channel(0), channel(8), channel(4));
}

class Picture {
 public:
  Picture(const Problem& problem, std::span<const std::int64_t> offsets)
      : problem_(&problem), offsets_(offsets), drawing_(MakeDrawing(problem, offsets)) {
    const auto peak = static_cast<double>(std::max<std::int64_t>(drawing_.peak, 1));
    ceiling_ = peak;
    // A capacity far above the peak would press the buffers flat; the caption still tells it.
    if (problem.capacity && static_cast<double>(*problem.capacity) <= 2 * peak) {
      ceiling_ = std::max(peak, static_cast<double>(*problem.capacity));
      capacity_shown_ = true;
    }
    const auto start = static_cast<double>(drawing_.start);
    duration_ = std::max(static_cast<double>(drawing_.end) - start, 1.0);
  }

  std::string Draw() {
    absl::StrAppendFormat(
        &out_,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
        "font-family=\"system-ui, sans-serif\" font-size=\"11\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
        kWidth, kHeight, kWidth, kHeight);
    Caption();
    Axes();
    for (const Rectangle& rectangle : drawing_.rectangles) Buffer(rectangle);
    Load();
    if (capacity_shown_) Capacity();
    return absl::StrCat(out_, "</svg>\n");
  }

 private:
  [[nodiscard]] double X(std::int64_t tick) const {
    return kLeft + (static_cast<double>(tick) - static_cast<double>(drawing_.start)) / duration_ *
                       (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double Y(double bytes) const {
    return kHeight - kBottom - bytes / ceiling_ * (kHeight - kTop - kBottom);
  }

  void Text(double x, double y, absl::string_view attributes, absl::string_view escaped) {
    absl::StrAppendFormat(&out_, "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, attributes, escaped);
  }

  void Caption() {
    std::string caption = SizeText(*problem_, drawing_.peak);
    const std::string name = Escaped(Shortened(problem_->name, 60));
    Text(kLeft, 24, "font-size=\"14\" fill=\"#222222\"",
         name.empty() ? caption : absl::StrCat("<tspan font-weight=\"bold\">", name, "</tspan>: ", caption));
  }

  void Axes() {
    constexpr std::int64_t kLines = 4;
    for (std::int64_t line = 0; line <= kLines; ++line) {
      const double bytes = ceiling_ * static_cast<double>(line) / kLines;
      absl::StrAppendFormat(&out_, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#dddddd\"/>\n", kLeft, Y(bytes),
                            kWidth - kRight);
      Text(kLeft - 8, Y(bytes) + 4, "text-anchor=\"end\" fill=\"#555555\"", absl::StrFormat("%.0f", bytes));
    }
    Text(X(drawing_.start), kHeight - kBottom + 18, "fill=\"#555555\"", absl::StrCat(drawing_.start));
    Text(X(drawing_.end), kHeight - kBottom + 18, "text-anchor=\"end\" fill=\"#555555\"",
         absl::StrCat(drawing_.end));
    Text((kLeft + kWidth - kRight) / 2, kHeight - kBottom + 34, "text-anchor=\"middle\" fill=\"#555555\"",
         "time in ticks; addresses in bytes");
  }

  void Buffer(const Rectangle& rectangle) {
    const auto& buffer = problem_->buffers[rectangle.buffer];
    const std::string name = BufferName(*problem_, rectangle.buffer);
    const double x = X(rectangle.start);
    const double y = Y(static_cast<double>(rectangle.upper));
    const double width = X(rectangle.end) - x;
    const double height = Y(static_cast<double>(rectangle.lower)) - y;
    absl::StrAppendFormat(&out_, "<g><title>%s\nlifetime [%d, %d)\nsize %d\noffset %d</title>", Escaped(name),
                          buffer.start, buffer.end, buffer.size, offsets_[rectangle.buffer]);
    absl::StrAppendFormat(&out_,
                          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                          "stroke=\"#445566\" stroke-width=\"%g\"/>",
                          x, y, width, height, ColourOf(rectangle.buffer),
                          std::min(width, height) < 4 ? 0.2 : 0.8);
    const auto room = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetterWidth));
    if (height >= kLabelHeight && room >= std::min<std::size_t>(Characters(name).size(), 4)) {
      Text(x + width / 2, y + height / 2 + 4,
           "text-anchor=\"middle\" fill=\"#1a1a1a\" pointer-events=\"none\"", Escaped(Shortened(name, room)));
    }
    out_ += "</g>\n";
  }

  void Load() {
    std::string path;
    for (const LoadStep& step : LoadOf(drawing_)) {
      if (path.empty()) path = absl::StrFormat("M%.2f %.2f", X(step.tick), Y(0));
      absl::StrAppendFormat(&path, "H%.2fV%.2f", X(step.tick), Y(static_cast<double>(step.bytes)));
    }
    if (path.empty()) return;
    absl::StrAppend(&out_, "<path d=\"", path,
                    "\" fill=\"none\" stroke=\"#1f3b70\" stroke-width=\"1.6\" stroke-dasharray=\"3 2\" "
                    "pointer-events=\"none\"><title>live bytes</title></path>\n");
    Text(kWidth - kRight - 150, 24, "text-anchor=\"end\" fill=\"#1f3b70\"", "- - live bytes");
  }

  void Capacity() {
    const double y = Y(static_cast<double>(*problem_->capacity));
    absl::StrAppendFormat(&out_,
                          "<path d=\"M%.1f %.2fH%.1f\" stroke=\"#c62828\" stroke-width=\"1.6\">"
                          "<title>capacity %d</title></path>\n",
                          kLeft, y, kWidth - kRight, *problem_->capacity);
    Text(kWidth - kRight, 24, "text-anchor=\"end\" fill=\"#c62828\"",
         absl::StrCat("— capacity ", *problem_->capacity));
  }

  const Problem* problem_;
  std::span<const std::int64_t> offsets_;
  Drawing drawing_;
  double ceiling_ = 1;
  double duration_ = 1;
  bool capacity_shown_ = false;
  std::string out_;
};

}  // namespace

std::string DrawSvg(const Problem& problem, std::span<const std::int64_t> offsets) {
  return Picture(problem, offsets).Draw();
}

}  // namespace telamalloc::cli
