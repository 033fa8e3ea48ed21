#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "analysis/page_css.h"
#include "analysis/page_data.h"
#include "analysis/page_js.h"
#include "analysis/present.h"
#include "analysis/tile_art.h"
#include "analysis/viewer_html.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/number.h"

namespace ippatsu::analysis {

using namespace mahjong;
using report::escape;

namespace {

constexpr size_t kModelColours = 4;  // of page.css

// In both languages; the style sheet shows one.
std::string both(const Words& words) {
  return fmt::format(R"(<span lang="ja">{}</span><span lang="en">{}</span>)", escape(words.ja),
                     escape(words.en));
}

std::string heading(const Words& words) { return fmt::format("<h2>{}</h2>\n", both(words)); }

std::string card(std::string_view table) {
  return fmt::format("<div class=\"card\"><div class=\"scroll\">{}</div></div>\n", table);
}

std::string head_row(std::initializer_list<Words> titles) {
  std::string out = "<thead><tr>";
  for (const Words& title : titles) out += fmt::format("<th>{}</th>", both(title));
  return out + "</tr></thead>\n";
}

std::string percent(double share, int decimals = 0) {
  return report::format_number(100 * share, decimals) + " %";
}

// -- tiles

std::string tile(Tile tile, std::string_view look = "tile") {
  return fmt::format(
      R"(<svg class="{}" viewBox="0 0 30 40" role="img"><title>{}</title><use href="#t{}"/></svg>)",
      look, tile_words(tile).en, tile.index());
}

std::string action(Action action, bool own_turn) {
  if (action.is_discard()) return tile(action.tile());
  const std::string word = both(action_words(action, own_turn));
  return action.is_kan() ? word + " " + tile(Tile::of_kind(action.kind())) : word;
}

// The concealed tiles, the melds, and the winning tile apart.
std::string hand(const WonHand& won) {
  Concealed rest = won.hand.concealed;
  rest.remove(won.hand.winning);
  std::string out = R"(<span class="hand">)";
  for (const Tile each : in_order(rest)) out += tile(each);
  for (const Meld& meld : won.hand.melds) {
    std::string_view look = "tile apart";
    for (const Tile each : meld.tiles()) out += tile(each, std::exchange(look, "tile"));
  }
  return out + tile(won.hand.winning, "tile apart") + "</span>";
}

class PageText {
 public:
  PageText(const Analysis& analysis, Language language)
      : analysis_(analysis), course_(analysis.course), language_(language) {}

  std::string document() const {
    const std::string code = language_ == Language::Japanese ? "ja" : "en";
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{0}\" data-language=\"{0}\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>{1}</title>\n<style>{2}{3}</style>\n</head>\n<body>\n<main>\n",
        code, escape(title()), report::page_style(), kPageCss);
    out += fmt::format(
        "<svg class=\"symbols\" xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" "
        "aria-hidden=\"true\">\n{}</svg>\n",
        tile_symbols());
    out += header() + players() + std::string(kViewerHtml) + bad_moves() + rounds() + curves() +
           method() + "</main>\n" + scripts();
    return out + "</body>\n</html>\n";
  }

 private:
  std::string title() const {
    return language_ == Language::Japanese ? "牌譜検討" : "Game analysis";
  }

  std::string name_of(int seat) const { return escape(course_.game.names[seat]); }

  // A coloured square, as on the board, and the name.
  std::string model(size_t adviser) const {
    return fmt::format(R"(<span class="model m{}"></span>{})", adviser % kModelColours,
                       escape(analysis_.advisers[adviser].name));
  }

  bool several_models() const { return analysis_.advisers.size() > 1; }

  std::string header() const {
    std::string names;
    for (const std::string& name : course_.game.names)
      names += (names.empty() ? "" : " · ") + escape(name);
    const std::string source =
        analysis_.source.empty() ? ""
                                 : fmt::format("<br/><small>{}</small>", escape(analysis_.source));
    return fmt::format(
        "<header>\n<h1>{}</h1>\n<p>{}{}</p>\n<div><button type=\"button\" data-do=\"language\">"
        "<span lang=\"ja\">English</span><span lang=\"en\">日本語</span></button></div>\n"
        "</header>\n",
        both({"牌譜検討", "Game analysis"}), names, source);
  }

  // -- how the players did

  std::string players() const {
    std::string out = "<table>\n";
    out += head_row({{"順位", "Rank"},
                     {"打者", "Player"},
                     {"得点", "Score"},
                     {"モデル", "Model"},
                     {"選択数", "Choices"},
                     {"一致率（95 %区間）", "Agreement (95 %)"},
                     {"類似度", "Similarity"},
                     {"悪手", "Bad moves"}});
    out += "<tbody>\n";
    const Scores scores = course_.final_scores();
    const std::array<int, kSeats> ranks = ranks_of(scores, course_.game.rules);
    for (int rank = 1; rank <= course_.players(); ++rank)
      for (int seat = 0; seat < course_.players(); ++seat)
        if (ranks[seat] == rank) out += player_rows(seat, rank, scores[seat]);
    return "<section>\n" + card(out + "</tbody></table>") + "</section>\n";
  }

  // One row for each model.
  std::string player_rows(int seat, int rank, int score) const {
    std::string out;
    std::string first =
        fmt::format("<td>{}</td><td>{} <small>{}</small></td><td>{}</td>", rank, name_of(seat),
                    both(wind_words(static_cast<Wind>(seat))), report::format_number(score));
    for (const Verdict& verdict : analysis_.verdicts)
      if (verdict.seat == seat)
        out += fmt::format("<tr>{}{}</tr>\n",
                           std::exchange(first, std::string("<td></td><td></td><td></td>")),
                           verdict_cells(verdict));
    if (out.empty())
      out = fmt::format("<tr>{}<td></td><td></td><td></td><td></td><td></td></tr>\n", first);
    return out;
  }

  std::string verdict_cells(const Verdict& verdict) const {
    const play::Estimate agreement = verdict.agreement();
    const std::string interval =
        verdict.turns == 0 ? "–"
                           : fmt::format("{} <small>({}–{})</small>", percent(agreement.value, 1),
                                         report::format_number(100 * agreement.low),
                                         report::format_number(100 * agreement.high));
    return fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
                       model(verdict.adviser), verdict.turns, interval,
                       report::format_number(verdict.similarity, 1), verdict.bad.size());
  }

  // -- what they did badly

  std::string bad_moves() const {
    const std::string limit = percent(analysis_.bad_below, 1);
    std::string out = "<section>\n" + heading({"悪手一覧", "Bad moves"});
    out += fmt::format(
        "<p>{}</p>\n",
        both({fmt::format("モデルの確率が {} 未満だった選択。局面へのリンク付き。", limit),
              fmt::format("Choices that a model gave less than {}; each leads to its board.",
                          limit)}));
    for (const Verdict& verdict : analysis_.verdicts) out += bad_moves_of(verdict);
    return out + "</section>\n";
  }

  std::string bad_moves_of(const Verdict& verdict) const {
    constexpr size_t kMostOpen = 24;  // a longer list is folded up
    const std::string by = several_models() ? " · " + model(verdict.adviser) : "";
    std::string items;
    for (const size_t bad : verdict.bad)
      items += bad_move(analysis_.turns[bad], *analysis_.turns[bad].opinions[verdict.adviser]);
    const bool open = !items.empty() && verdict.bad.size() <= kMostOpen;
    return fmt::format(
        "<details class=\"card moves\"{}><summary>{}{}<small>{} / "
        "{}</small></summary>\n{}</details>\n",
        open ? " open=\"open\"" : "", name_of(verdict.seat), by, verdict.bad.size(), verdict.turns,
        items.empty() ? "" : "<ol>\n" + items + "</ol>\n");
  }

  std::string bad_move(const Turn& turn, const Opinion& opinion) const {
    const bool own_turn = turn.seat == turn.table.turn();
    return fmt::format(
        "<li><a href=\"#turn-{}\">{}</a><span>{}</span><span class=\"bad\">{}</span>"
        "<span>→ {}</span><span>{}</span></li>\n",
        turn.index, both(round_words(course_.rounds[turn.round].start)),
        action(turn.chosen, own_turn), percent(opinion.of(turn.chosen), 1),
        action(opinion.best(), own_turn), percent(opinion.of(opinion.best())));
  }

  // -- how the game went

  std::string rounds() const {
    std::string out = "<table>\n<thead><tr>";
    out += fmt::format("<th>{}</th><th>{}</th>", both({"局", "Round"}), both({"結果", "Result"}));
    for (int seat = 0; seat < course_.players(); ++seat)
      out += fmt::format("<th class=\"number\">{}</th>", name_of(seat));
    out += "</tr></thead>\n<tbody>\n";
    for (const Round& round : course_.rounds) out += round_row(round);
    return "<section>\n" + heading({"各局の結果", "Rounds"}) + card(out + "</tbody></table>") +
           "</section>\n";
  }

  std::string round_row(const Round& round) const {
    std::string result;
    for (const WonHand& won : round.wins) result += win(won);
    if (round.draw) result += fmt::format("<div>{}</div>", both(draw_words(*round.draw)));
    std::string out = fmt::format("<tr><td>{}</td><td class=\"result\">{}</td>",
                                  both(round_words(round.start)), result);
    for (int seat = 0; seat < course_.players(); ++seat)
      out += score_cell(round.scores[seat], round.scores[seat] - round.start.scores[seat]);
    return out + "</tr>\n";
  }

  static std::string score_cell(int score, int change) {
    const std::string sign = change > 0 ? "+" : "";
    const std::string moved = change == 0 ? ""
                                          : fmt::format("<br/><small class=\"{}\">{}{}</small>",
                                                        change > 0 ? "rose" : "fell", sign,
                                                        report::format_number(change));
    return fmt::format("<td class=\"number\">{}{}</td>", report::format_number(score), moved);
  }

  std::string win(const WonHand& won) const {
    const std::string how =
        won.tsumo() ? both({"ツモ", "tsumo"})
                    : both({fmt::format("ロン（{}）", course_.game.names[won.win.from]),
                            fmt::format("ron from {}", course_.game.names[won.win.from])});
    return fmt::format("<div><b>{}</b> {} · {} · {}</div><div>{}</div>", name_of(won.win.seat), how,
                       both(yaku_words(won)), both(value_words(won)), hand(won));
  }

  // -- curves

  using ByRound = double (PageText::*)(size_t rounds, int seat) const;

  static report::Axis rank_axis(std::string label) {
    return {.label = std::move(label), .whole = true, .reversed = true};
  }

  std::string curves() const {
    std::string out = "<section>\n" + heading({"得点と順位の推移", "Scores and ranks"});
    const auto add = [&](std::string_view language, std::string title, std::string x,
                         report::Axis y, ByRound value) {
      out += curve(language,
                   {.title = std::move(title),
                    .x = {.label = std::move(x), .whole = true},
                    .y = std::move(y)},
                   value);
    };
    add("ja", "得点", "終えた局", {"点"}, &PageText::score_after);
    add("ja", "順位", "終えた局", rank_axis("位"), &PageText::rank_after);
    add("en", "Score", "rounds played", {"points"}, &PageText::score_after);
    add("en", "Rank", "rounds played", rank_axis("the first on top"), &PageText::rank_after);
    return out + "</section>\n";
  }

  std::string curve(std::string_view language, report::Chart chart, ByRound value) const {
    for (int seat = 0; seat < course_.players(); ++seat) {
      report::Series series{.name = course_.game.names[seat], .points = {}};
      for (size_t rounds = 0; rounds <= course_.rounds.size(); ++rounds)
        series.points.push_back({static_cast<double>(rounds), (this->*value)(rounds, seat)});
      chart.series.push_back(std::move(series));
    }
    return fmt::format(
        "<figure class=\"card\" lang=\"{}\"><div class=\"wide\">{}</div><div class=\"narrow\">{}"
        "</div></figure>\n",
        language, svg(chart, {.width = 1060, .height = 340}), svg(chart, report::kNarrowChart));
  }

  const Scores& scores_after(size_t rounds) const {
    return rounds == 0 ? course_.rounds[0].start.scores : course_.rounds[rounds - 1].scores;
  }

  double score_after(size_t rounds, int seat) const { return scores_after(rounds)[seat]; }
  double rank_after(size_t rounds, int seat) const {
    return ranks_of(scores_after(rounds), course_.game.rules)[seat];
  }

  // -- what the figures are

  std::string method() const {
    std::string out = "<section>\n" + heading({"数値について", "What the figures are"});
    const Words paragraphs[] = {
        {"確率は、その局面で可能なすべての選択に対するモデルの出力。一致率は、実際の選択がモデルの"
         "最善と同じだった割合で、区間はウィルソンの95 %区間。",
         "Probabilities are the model's, over everything that was legal. Agreement is how often "
         "the choice was the model's best; its interval is Wilson's, of 95 %."},
        {"類似度は 100 (N − Σ|p選択 − p最善|) / N。すべて最善なら 100。",
         "Similarity is 100 (N − Σ|p of the choice − p of the best|) / N: 100 where every choice "
         "was the best."},
        {"危険度は筋・壁・現物などの経験則による放銃率の目安で、モデルの出力ではない。",
         "Risk is the chance of dealing in by rules of thumb (suji, walls, safe tiles), a rough "
         "guide and not what a model says."},
        {"見送りは牌譜に残らない。誰も鳴かなかった場合と、鳴けた打者が優先順位で負けていない場合だ"
         "けを見送りとみなす。",
         "Passing leaves no trace in a record. A seat is taken to have passed where nobody acted, "
         "or where what it could have done would have come first."}};
    for (const Words& paragraph : paragraphs) out += fmt::format("<p>{}</p>\n", both(paragraph));
    return out + models() + "</section>\n";
  }

  std::string models() const {
    std::string out =
        "<table>\n" + head_row({{"モデル", "Model"}, {"種類", "Kind"}, {"SHA-256", "SHA-256"}});
    out += "<tbody>\n";
    for (size_t i = 0; i < analysis_.advisers.size(); ++i)
      out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"hash\">{}</td></tr>\n", model(i),
                         escape(analysis_.advisers[i].what), escape(analysis_.advisers[i].sha256));
    return card(out + "</tbody></table>");
  }

  // -- what the script works on

  std::string scripts() const {
    return fmt::format(
        "<script id=\"data\" type=\"application/json\">{}</script>\n"
        "<script>//<![CDATA[\n{}//]]></script>\n",
        without_markup(page_data(analysis_)), kPageJs);
  }

  // Neither HTML nor XML finds anything of theirs in it.
  static std::string without_markup(const nlohmann::ordered_json& data) {
    std::string out;
    for (const char c :
         data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
      if (c == '<' || c == '>' || c == '&' || c == '\x7f')
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      else
        out += c;
    }
    return out;
  }

  const Analysis& analysis_;
  const Course& course_;
  Language language_;
};

}  // namespace

std::string to_html(const Analysis& analysis, Language language) {
  return PageText(analysis, language).document();
}

}  // namespace ippatsu::analysis
