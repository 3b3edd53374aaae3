#include "review_search.h"

#include <algorithm>

#include "text.h"

namespace cairn {

namespace {

// A unit has at most this many tokens, so that several workers can share a game. Before it begins, it searches this
// many later moments, so that its table knows what came next.
constexpr std::size_t TokensPerUnit = 32, LaterMoments = 6;

constexpr std::string_view DecisionWord = "decision", DrawWord = "draw", ClosingWord = "closing";

void write_word(std::string& text, std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
}

void write_line_words(std::string& text, const std::vector<Token>& tokens) {
    write_word(text, std::to_string(tokens.size()));
    for (Token token : tokens) write_word(text, write_token(token));
}

// Reads the words of findings. After a word that does not fit, `is_good` is false.
class Words {
  public:
    explicit Words(std::string_view text) : words_(split(text, ' ')) {}

    bool is_good() const { return good_; }
    bool at_end() const { return next_ == words_.size(); }
    std::string_view word() {
        if (at_end()) {
            good_ = false;
            return {};
        }
        return words_[next_++];
    }
    std::int32_t number() {
        const std::string_view digits = word();
        std::int32_t value = 0;
        if (digits.empty() || digits.size() > 9) good_ = false;
        for (char digit : digits) {
            if (digit < '0' || digit > '9') good_ = false;
            value = value * 10 + (digit - '0');
        }
        return good_ ? value : 0;
    }
    Token token() {
        const auto token = read_token(word());
        if (!token) good_ = false;
        return token.value_or(Token(Kind::Pass));
    }
    std::vector<Token> line() {
        std::vector<Token> tokens;
        for (std::int32_t rest = number(); rest > 0 && good_; --rest) tokens.push_back(token());
        return tokens;
    }

  private:
    std::vector<std::string_view> words_;
    std::size_t next_ = 0;
    bool good_ = true;
};

std::vector<Token> line_of(Token first, const std::vector<Token>& rest) {
    std::vector<Token> line{first};
    line.insert(line.end(), rest.begin(), rest.end());
    return line;
}

}  // namespace

std::vector<ReviewUnit> plan_review(const Moments& moments) {
    std::vector<ReviewUnit> units;
    const std::size_t count = moments.tokens().size();
    for (std::size_t first = 0; first < count || units.empty(); first += TokensPerUnit) {
        const std::size_t last = std::min(count, first + TokensPerUnit);
        units.push_back({ReviewUnit::Kind::Decisions, first, last, int(2 * (last - first) + LaterMoments)});
    }
    for (std::size_t index = 0; index < count; ++index)
        if (moments.before(index).phase == Phase::Draw)
            units.push_back({ReviewUnit::Kind::Draw, index, index + 1, moments.before(index).count_legal() / 2 + 1});
    return units;
}

std::string write_findings(const UnitFindings& findings) {
    std::string text;
    for (const DecisionFinding& decision : findings.decisions) {
        write_word(text, DecisionWord);
        write_word(text, std::to_string(decision.index));
        write_word(text, std::to_string(decision.after_better));
        write_line_words(text, decision.better);
        write_line_words(text, decision.refutation);
    }
    for (const DrawFinding& draw : findings.draws) {
        write_word(text, DrawWord);
        write_word(text, std::to_string(draw.index));
        write_line_words(text, draw.tiles);
        for (Expectation value : draw.values) write_word(text, std::to_string(value));
    }
    write_word(text, ClosingWord);
    write_word(text, std::to_string(findings.closing));
    return text;
}

std::optional<UnitFindings> read_findings(std::string_view text) {
    UnitFindings findings;
    Words words(text);
    while (words.is_good()) {
        const std::string_view kind = words.word();
        if (kind == DecisionWord) {
            DecisionFinding& decision = findings.decisions.emplace_back();
            decision.index = std::size_t(words.number());
            decision.after_better = words.number();
            decision.better = words.line();
            decision.refutation = words.line();
            if (decision.better.empty()) return std::nullopt;
        } else if (kind == DrawWord) {
            DrawFinding& draw = findings.draws.emplace_back();
            draw.index = std::size_t(words.number());
            draw.tiles = words.line();
            for (std::size_t rest = draw.tiles.size(); rest > 0; --rest) draw.values.push_back(words.number());
            if (draw.tiles.empty()) return std::nullopt;
        } else {
            findings.closing = words.number();
            return kind == ClosingWord && words.is_good() && words.at_end() ? std::optional(findings) : std::nullopt;
        }
    }
    return std::nullopt;
}

ReviewMoment ReviewMoment::before(const Moments& moments, std::size_t index) {
    const auto position_at = [&](std::size_t number) -> const Position& {
        return number < moments.tokens().size() ? moments.before(number) : moments.now();
    };
    ReviewMoment moment{position_at(index), {}, false};
    for (std::size_t number = 0; number <= index; ++number)
        if (position_at(number).phase == Phase::Action) moment.turn_starts.push_back(position_at(number).key);
    moment.is_repetition = index == moments.tokens().size() && moments.is_repetition();
    return moment;
}

ReviewMoment ReviewMoment::after(Token token) const {
    ReviewMoment next{position, turn_starts, false};
    TokenList legal;
    position.legal_tokens(legal);
    // Use the generated token, which also says which tile it flips.
    next.position.play(*std::find(legal.begin(), legal.end(), token));
    if (next.position.phase == Phase::Action) {
        const Key key = next.position.key;
        next.is_repetition = std::count(turn_starts.begin(), turn_starts.end(), key) >= 2;
        next.turn_starts.push_back(key);
    }
    return next;
}

Expectation mean_of(const std::vector<Expectation>& values) {
    std::int64_t sum = 0;
    for (Expectation value : values) sum += value;
    const auto count = std::int64_t(values.size());
    return Expectation((2 * sum + count) / (2 * count));
}

Expectation final_expectation(const ReviewMoment& moment) {
    return expectation_of(moment.is_repetition ? Winner::Nobody : moment.position.winner);
}

// Searches with the knowledge that is in the table. Before a draw, the value is the mean over all tiles.
ReviewSearch::Found ReviewSearch::look(const ReviewMoment& moment, std::uint64_t nodes, std::uint64_t tile_nodes) {
    if (moment.is_over()) return {final_expectation(moment), {}};
    if (moment.position.phase == Phase::Draw) {
        TokenList tiles;
        moment.position.legal_tokens(tiles);
        sort_by_text(tiles);
        std::vector<Expectation> values;
        for (Token tile : tiles) values.push_back(look(moment.after(tile), tile_nodes, tile_nodes).value);
        return {mean_of(values), {}};
    }
    Limits limits;
    limits.nodes = nodes;
    table_.new_search();
    const auto lines = search_.run(moment.position, Past(moment.turn_starts), limits, [](const Progress&) {});
    const Expectation value = expectation_of(lines[0].score);
    return {moment.position.decider == Decider::Forest ? value : other_side(value), lines[0].tokens};
}

ReviewSearch::Found ReviewSearch::evaluate_alone(const ReviewMoment& moment, std::uint64_t nodes,
                                                 std::uint64_t tile_nodes) {
    table_.clear();
    return look(moment, nodes, tile_nodes);
}

UnitFindings ReviewSearch::run(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort) {
    return unit.kind == ReviewUnit::Kind::Draw ? run_draw(moments, unit, effort) : run_decisions(moments, unit, effort);
}

// Every tile is searched from an empty table, so that the tile that came has no advantage over the others.
UnitFindings ReviewSearch::run_draw(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort) {
    const ReviewMoment moment = ReviewMoment::before(moments, unit.first);
    TokenList tiles;
    moment.position.legal_tokens(tiles);
    sort_by_text(tiles);
    DrawFinding draw{unit.first, {}, {}};
    for (Token tile : tiles) {
        draw.tiles.push_back(tile);
        draw.values.push_back(
            tiles.size() == 1 ? EvenChance : evaluate_alone(moment.after(tile), effort.tile(), effort.tile()).value);
    }
    return {{}, {draw}, 0};
}

// Searches from the last moment back to the first with one table, so that each search knows what came later.
UnitFindings ReviewSearch::run_decisions(const Moments& moments, const ReviewUnit& unit, const ReviewEffort& effort) {
    UnitFindings findings;
    table_.clear();
    // 1. Search some later moments, which belong to another unit.
    for (std::size_t index = std::min(moments.tokens().size(), unit.last + LaterMoments); index > unit.last; --index) {
        const ReviewMoment moment = ReviewMoment::before(moments, index);
        if (moment.is_decision()) look(moment, effort.nodes, effort.side_tile());
    }
    // 2. The moment after the unit's last token.
    Found next = look(ReviewMoment::before(moments, unit.last), effort.nodes, effort.side_tile());
    findings.closing = next.value;
    for (std::size_t index = unit.last; index-- > unit.first;) {
        const ReviewMoment moment = ReviewMoment::before(moments, index);
        const Token played = moments.tokens()[index];
        if (!moment.is_decision()) {
            next.line = line_of(played, next.line);
            continue;
        }
        const auto tribe = Tribe(moment.position.decider);
        DecisionFinding& decision = findings.decisions.emplace_back();
        decision.index = index;
        decision.refutation = next.line;
        // 3. Find the best token.
        if (moment.position.count_legal() == 1)
            decision.better = line_of(played, next.line);
        else
            decision.better = look(moment, effort.nodes, effort.side_tile()).line;
        // 4. Compare the moments after the best and after the played token. Confirm a large loss with more effort.
        const Token best = decision.better[0];
        if (best != played) {
            const ReviewMoment alternative = moment.after(best);
            Found after = look(alternative, effort.nodes, effort.side_tile());
            if (gain_for(tribe, after.value, next.value) >= InaccuracyFrom)
                after = look(alternative, effort.verification(), effort.side_tile());
            if (gain_for(tribe, after.value, next.value) > 0) {
                decision.after_better = next.value = after.value;
                decision.better = line_of(best, after.line);
            } else {
                decision.better = line_of(played, next.line);
            }
        }
        // If the played token is the best, the later searches may know more about what follows.
        std::vector<Token> known = line_of(played, next.line);
        next.line = best != played || decision.better.size() >= known.size() ? decision.better : std::move(known);
    }
    std::reverse(findings.decisions.begin(), findings.decisions.end());
    return findings;
}

}  // namespace cairn
