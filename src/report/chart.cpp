#include "report/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "report/markup.h"
#include "report/number.h"

namespace ippatsu::report {

namespace {

constexpr size_t kColours = 6;
constexpr size_t kMostMarkers = 40;        // a longer line is drawn without dots
constexpr size_t kMostDirectLabels = 4;    // more of them would crowd the right edge
constexpr int kLeastWidthForLabels = 600;  // narrower pictures need their width for the plot
constexpr int kMostHoverColumns = 120;     // bounds the size of the file
constexpr double kCharacterWidth = 6.9;    // of 12 px text, on the wide side
constexpr double kRowHeight = 17;
constexpr double kDotRadius = 4;
constexpr double kInnerDotRadius = 2.25;

struct Paint {
  std::string_view selector, property, light, dark;
};

// The series colours are those of Okabe and Ito ("Color Universal Design", 2008), darkened or
// lightened until text in them can be read on the paper (WCAG 2.1, contrast 4.5). Under the colour
// deficiencies as Machado, Oliveira and Fernandes (2009) simulate them, any two stay at least 10
// apart in CIELAB.
constexpr Paint kPaints[] = {
    {".paper", "fill", "#ffffff", "#171b21"},  {"text", "fill", "#59636e", "#9aa4b0"},
    {".title", "fill", "#1f2328", "#e8ebef"},  {".grid", "stroke", "#e6e9ed", "#2a3038"},
    {".axis", "stroke", "#b4bcc5", "#4a535e"}, {".reference", "stroke", "#59636e", "#9aa4b0"},
    {".halo", "stroke", "#ffffff", "#171b21"}, {".dot", "stroke", "#ffffff", "#171b21"},
    {".box", "fill", "#ffffff", "#20262e"},    {".box", "stroke", "#c9d0d7", "#4a535e"},
    {".value", "fill", "#1f2328", "#e8ebef"},  {".s0", "color", "#0069a8", "#56b4e9"},
    {".s1", "color", "#c24e00", "#f0a03c"},    {".s2", "color", "#007a59", "#35c99d"},
    {".s3", "color", "#a0447a", "#d97fb5"},    {".s4", "color", "#5a3a00", "#f0e442"},
    {".s5", "color", "#111827", "#f5f5f5"},
};

constexpr std::string_view kLook =
    ".chart{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif}"
    ".chart .title{font-size:16px;font-weight:600}"
    ".chart .line{fill:none;stroke:currentColor;stroke-width:2.25;stroke-linejoin:round;"
    "stroke-linecap:round}"
    ".chart .dashed{stroke-dasharray:6 9}"
    ".chart .raw{stroke-width:1;opacity:.3}"
    ".chart .band{fill:currentColor;opacity:.16}"
    ".chart .bar{fill:none;stroke:currentColor;stroke-width:1.25;opacity:.6}"
    ".chart .dot{fill:currentColor;stroke-width:1.5}"
    ".chart .inner{stroke:none}"
    ".chart .name{fill:currentColor;font-weight:600}"
    ".chart .reference{stroke-dasharray:2 4;stroke-linecap:round;stroke-width:1.5}"
    ".chart .halo{stroke-width:4;stroke-linejoin:round;paint-order:stroke}"
    ".chart .value{font-variant-numeric:tabular-nums}"
    ".chart .strip{fill:none;pointer-events:all}"
    ".chart .tip{pointer-events:none}"
    ".chart .hover:hover .tip{visibility:visible}";

std::string style() {
  std::string light, dark;
  for (const auto& paint : kPaints) {
    light += fmt::format(".chart {}{{{}:{}}}", paint.selector, paint.property, paint.light);
    dark += fmt::format(".chart {}{{{}:{}}}", paint.selector, paint.property, paint.dark);
  }
  return fmt::format("<style>{}@media(prefers-color-scheme:dark){{{}}}{}</style>\n", light, dark,
                     kLook);
}

double text_width(std::string_view text) { return display_width(text) * kCharacterWidth; }

// The plot inside the picture, in pixels from its upper left corner.
struct Frame {
  double left, right, top, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

struct Label {
  double y;
  size_t series;
};

// Moves labels apart so that none covers another, as little as that takes, and keeps them between
// top and bottom where they fit.
void spread_out(std::vector<Label>& labels, double top, double bottom) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.y < b.y; });
  double least = top;
  for (auto& label : labels) {
    label.y = std::max(label.y, least);
    least = label.y + kRowHeight;
  }
  double most = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, most);
    most = label->y - kRowHeight;
  }
}

std::string axis_label(const Axis& axis) {
  return escape(axis.label) + (axis.scale == Scale::Linear ? "" : " (log scale)");
}

bool can_show(const Chart& chart, const Point& point) {
  return plottable(chart.x.scale, point.x) && plottable(chart.y.scale, point.y);
}

// Every point that can be shown, of all series.
std::vector<Point> shown_points(const Chart& chart) {
  std::vector<Point> points;
  for (const auto& series : chart.series)
    std::copy_if(series.points.begin(), series.points.end(), std::back_inserter(points),
                 [&](const Point& point) { return can_show(chart, point); });
  return points;
}

std::vector<double> all_x(const Chart& chart) {
  std::vector<double> values;
  for (const auto& point : shown_points(chart)) values.push_back(point.x);
  return values;
}

std::vector<double> all_y(const Chart& chart) {
  std::vector<double> values;
  for (const auto& point : shown_points(chart)) {
    values.push_back(point.y);
    if (has_spread(chart.y.scale, point)) values.insert(values.end(), {point.low, point.high});
  }
  for (const auto& line : chart.references) values.push_back(line.y);
  return values;
}

class Drawing {
 public:
  Drawing(const Chart& chart, ChartSize size)
      : chart_(chart),
        size_{std::max(size.width, 200), std::max(size.height, 200)},
        direct_labels_(chart.series.size() > 1 && chart.series.size() <= kMostDirectLabels &&
                       size.width >= kLeastWidthForLabels),
        x_(chart.x, all_x(chart), Ends::Tight, size_.width / 60),
        y_(chart.y, all_y(chart), Ends::Round, 6),
        frame_(lay_out()) {}

  std::string draw() {
    open();
    draw_grid();
    for (const auto& line : chart_.references) draw_reference(line);
    for (size_t i = 0; i < chart_.series.size(); ++i) draw_spread(i);
    for (size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    if (direct_labels_) draw_direct_labels();
    if (has_legend()) draw_legend();
    if (shown_points(chart_).empty()) draw_notice();
    draw_hover();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  bool has_legend() const { return chart_.series.size() > 1 && !direct_labels_; }
  double x_of(double value) const { return frame_.left + x_.position(value) * frame_.width(); }
  double y_of(double value) const { return frame_.bottom - y_.position(value) * frame_.height(); }
  std::function<int(double)> column() const {
    return [this](double x) { return static_cast<int>(x_of(x)); };
  }
  static size_t colour(size_t series) { return series % kColours; }

  Frame lay_out() const;
  void open();
  void draw_grid();
  void draw_reference(const ReferenceLine& line);
  void draw_spread(size_t series);
  void draw_band(const std::vector<Point>& run);
  void draw_bar(const Point& point);
  void draw_series(size_t series);
  void draw_line(const std::vector<Point>& points, std::string_view look, double dot_radius);
  void draw_direct_labels();
  void draw_legend();
  void draw_notice();
  void draw_hover();
  void draw_tip(double x, const std::vector<const Point*>& points);

  const Chart& chart_;
  ChartSize size_;
  bool direct_labels_;
  AxisRange x_;
  AxisRange y_;
  Frame frame_;
  std::string out_;
};

// Rows of the legend, each a list of series, as many to a row as fit.
std::vector<std::vector<size_t>> legend_rows(const Chart& chart, double width) {
  std::vector<std::vector<size_t>> rows(1);
  double used = 0;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const double needed = 44 + text_width(chart.series[i].name);
    if (used > 0 && used + needed > width) {
      rows.emplace_back();
      used = 0;
    }
    rows.back().push_back(i);
    used += needed;
  }
  return rows;
}

Frame Drawing::lay_out() const {
  double widest_tick = 0, widest_name = 0;
  for (const auto& tick : y_.ticks()) widest_tick = std::max(widest_tick, text_width(tick.label));
  for (const auto& series : chart_.series)
    widest_name = std::max(widest_name, text_width(series.name));
  const double most = size_.width / 3.0;
  Frame frame;
  frame.left = 28 + std::min(widest_tick, most);
  frame.right = size_.width - (direct_labels_ ? 30 + std::min(widest_name, most) : 24);
  frame.top = 66;
  if (has_legend()) frame.top += kRowHeight * legend_rows(chart_, size_.width - 32).size() + 4;
  frame.bottom = std::max(frame.top + 60, size_.height - 50.0);
  return frame;
}

void Drawing::open() {
  add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" "
      "viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" aria-label=\"{}\">\n",
      size_.width, size_.height, size_.width, size_.height, escape(chart_.title));
  const auto& description = chart_.description.empty() ? chart_.y.label : chart_.description;
  add("<title>{}</title>\n<desc>{}</desc>\n", escape(chart_.title), escape(description));
  out_ += style();
  add("<rect class=\"paper\" width=\"{}\" height=\"{}\" rx=\"10\"/>\n", size_.width, size_.height);
  add("<text class=\"title\" x=\"16\" y=\"28\">{}</text>\n", escape(chart_.title));
  add("<text x=\"16\" y=\"47\">{}</text>\n", axis_label(chart_.y));
}

void Drawing::draw_grid() {
  for (const auto& tick : y_.ticks()) {
    const double y = y_of(tick.value);
    add("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
        frame_.left - 6, frame_.right + 6, y, y);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", frame_.left - 12, y + 4,
        tick.label);
  }
  const double y = frame_.bottom;
  add("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
      frame_.left - 6, frame_.right + 6, y, y);
  for (const auto& tick : x_.ticks()) {
    const double x = x_of(tick.value);
    add("<line class=\"axis\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", x, x, y,
        y + 4);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, y + 18,
        tick.label);
  }
  add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", frame_.right + 6, y + 38,
      axis_label(chart_.x));
}

void Drawing::draw_reference(const ReferenceLine& line) {
  if (!plottable(chart_.y.scale, line.y)) return;
  const double y = y_of(line.y);
  add("<line class=\"reference\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
      frame_.left, frame_.right, y, y);
  add("<text class=\"halo\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", frame_.left + 2, y + 16,
      escape(line.label));
}

void Drawing::draw_spread(size_t index) {
  const auto& series = chart_.series[index];
  add("<g class=\"s{}\">", colour(index));
  for (const auto& run : split_at_gaps(series.points, chart_.x.scale, chart_.y.scale)) {
    const auto points = thin_spread(run, chart_.y.scale, column());
    if (series.spread == Spread::Band && points.size() > 1)
      draw_band(points);
    else
      for (const auto& point : points) draw_bar(point);
  }
  out_ += "</g>\n";
}

void Drawing::draw_band(const std::vector<Point>& run) {
  out_ += "<path class=\"band\" d=\"M";
  for (const auto& point : run) add("{:.1f} {:.1f} ", x_of(point.x), y_of(point.high));
  for (auto point = run.rbegin(); point != run.rend(); ++point)
    add("{:.1f} {:.1f} ", x_of(point->x), y_of(point->low));
  out_ += "Z\"/>";
}

void Drawing::draw_bar(const Point& point) {
  const double x = x_of(point.x);
  add("<path class=\"bar\" d=\"M{0:.1f} {2:.1f}H{1:.1f}M{0:.1f} {3:.1f}H{1:.1f}"
      "M{4:.1f} {2:.1f}V{3:.1f}\"/>",
      x - 4, x + 4, y_of(point.high), y_of(point.low), x);
}

void Drawing::draw_series(size_t index) {
  const auto& series = chart_.series[index];
  const bool smoothed = series.smoothing > 0 && series.smoothing < 1;
  const bool dots = !smoothed && series.points.size() <= kMostMarkers;
  // The dots of a dashed line are small, so that those of a line beneath it show around them.
  const double dot_radius = !dots ? 0 : series.dashed ? kInnerDotRadius : kDotRadius;
  add("<g class=\"s{}\">", colour(index));
  if (smoothed) draw_line(series.points, "line raw", 0);
  draw_line(smoothed ? smooth(series.points, series.smoothing) : series.points,
            series.dashed ? "line dashed" : "line", dot_radius);
  out_ += "</g>\n";
}

void Drawing::draw_line(const std::vector<Point>& points, std::string_view look,
                        double dot_radius) {
  for (const auto& run : split_at_gaps(points, chart_.x.scale, chart_.y.scale)) {
    // A lone point would be invisible without its dot.
    const double radius = run.size() == 1 ? std::max(dot_radius, kInnerDotRadius) : dot_radius;
    add("<path class=\"{}\" d=\"M", look);
    for (const auto& point : thin(run, column()))
      add("{:.1f} {:.1f} ", x_of(point.x), y_of(point.y));
    out_ += "\"/>";
    if (radius == 0) continue;
    for (const auto& point : run)
      add("<circle class=\"dot{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
          radius < kDotRadius ? " inner" : "", x_of(point.x), y_of(point.y), radius);
  }
}

void Drawing::draw_direct_labels() {
  std::vector<Label> labels;
  for (size_t i = 0; i < chart_.series.size(); ++i) {
    const auto& series = chart_.series[i];
    const auto line = smooth(series.points, std::clamp(series.smoothing, 0.0, 0.999));
    const auto runs = split_at_gaps(line, chart_.x.scale, chart_.y.scale);
    if (!runs.empty()) labels.push_back({y_of(runs.back().back().y), i});
  }
  spread_out(labels, frame_.top, frame_.bottom);
  for (const auto& label : labels)
    add("<text class=\"s{} name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", colour(label.series),
        frame_.right + 12, label.y + 4, escape(chart_.series[label.series].name));
}

void Drawing::draw_legend() {
  double y = 68;
  for (const auto& row : legend_rows(chart_, size_.width - 32)) {
    double x = 16;
    for (size_t i : row) {
      const auto& series = chart_.series[i];
      add("<g class=\"s{}\"><path class=\"line{}\" d=\"M{:.1f} {:.1f}h22\"/>"
          "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
          colour(i), series.dashed ? " dashed" : "", x, y - 4, x + 28, y, escape(series.name));
      x += 44 + text_width(series.name);
    }
    y += kRowHeight;
  }
}

void Drawing::draw_notice() {
  add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no data</text>\n",
      (frame_.left + frame_.right) / 2, (frame_.top + frame_.bottom) / 2);
}

// The picture is cut into upright strips, one per x that has points; a strip under the pointer
// shows its values.
void Drawing::draw_hover() {
  struct Strip {
    double x;
    std::vector<const Point*> points;  // by series; null where it has none there
  };
  const double grain = std::max(1.0, frame_.width() / kMostHoverColumns);
  std::map<int, Strip> strips;
  for (size_t i = 0; i < chart_.series.size(); ++i)
    for (const auto& point : chart_.series[i].points) {
      if (!can_show(chart_, point)) continue;
      auto& strip = strips[static_cast<int>(x_of(point.x) / grain)];
      if (strip.points.empty()) strip = {point.x, std::vector<const Point*>(chart_.series.size())};
      if (strip.points[i] == nullptr) strip.points[i] = &point;
    }
  double left = frame_.left - 6;
  for (auto strip = strips.begin(); strip != strips.end(); ++strip) {
    const auto next = std::next(strip);
    const double right = next == strips.end() ? frame_.right + 6
                                              : (x_of(strip->second.x) + x_of(next->second.x)) / 2;
    add("<g class=\"hover\"><rect class=\"strip\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>",
        left, frame_.top, std::max(0.0, right - left), frame_.height());
    draw_tip(strip->second.x, strip->second.points);
    out_ += "</g>\n";
    left = right;
  }
}

void Drawing::draw_tip(double x_value, const std::vector<const Point*>& points) {
  const double x = x_of(x_value);
  std::vector<std::pair<size_t, std::string>> rows;
  const std::string head = fmt::format("{} {}", chart_.x.label, format_value(x_value));
  double width = text_width(head);
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i] == nullptr) continue;
    rows.emplace_back(i, format_value(points[i]->y));
    width = std::max(width, text_width(chart_.series[i].name + "   " + rows.back().second));
  }
  width += 20;
  const bool to_the_left = x + 12 + width > size_.width;
  const double left = std::max(2.0, to_the_left ? x - 12 - width : x + 12);
  double y = frame_.top + 4;
  add("<g class=\"tip\" visibility=\"hidden\"><line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" "
      "y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>",
      x, frame_.top, frame_.bottom);
  for (const auto& [series, text] : rows)
    add("<g class=\"s{}\"><circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/></g>",
        colour(series), x_of(points[series]->x), y_of(points[series]->y));
  add("<rect class=\"box\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\"/>",
      left, y, width, kRowHeight * (rows.size() + 1) + 10);
  y += kRowHeight;
  add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left + 10, y, escape(head));
  for (const auto& [series, text] : rows) {
    y += kRowHeight;
    add("<text class=\"s{} name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>"
        "<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
        colour(series), left + 10, y, escape(chart_.series[series].name), left + width - 10, y,
        text);
  }
  out_ += "</g>";
}

}  // namespace

std::string svg(const Chart& chart, ChartSize size) { return Drawing(chart, size).draw(); }

}  // namespace ippatsu::report
