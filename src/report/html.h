#pragma once

// A page that is one file: every style and picture inside it, nothing fetched, no script. It reads
// well on a wide screen, on a phone and on paper, in light and in dark.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "report/chart.h"
#include "report/table.h"

namespace ippatsu::report {

struct Paragraph {
  std::string text;
};

// Names with their values: settings, versions, where and when.
struct KeyValues {
  std::vector<std::pair<std::string, std::string>> rows;
};

// The few numbers a reader should take home, set large.
struct Figure {
  std::string value;
  std::string unit = {};
  std::string label;
};
struct Figures {
  std::vector<Figure> figures;
};

// Something to act on: what it is, with its facts below.
enum class Tone { Plain, Warning };
struct Callout {
  Tone tone = Tone::Plain;
  std::string label = {};  // a word in front of the title: "trouble"
  std::string title;
  KeyValues facts = {};
};

using Block = std::variant<Paragraph, Figures, Table, Chart, KeyValues, Callout>;

struct Section {
  std::string heading;
  std::vector<Block> blocks;
};

struct Page {
  std::string title;
  std::string subtitle = {};
  std::vector<Block> summary = {};  // before the first section
  std::vector<Section> sections = {};
  std::string footer = {};
};

// What every page looks like, for pages that are built otherwise (page.css).
std::string_view page_style();

// The page as a complete HTML document, well-formed as XML too.
std::string html(const Page& page);

}  // namespace ippatsu::report
