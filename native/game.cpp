#include "game.h"

#include "utf8.h"

namespace cairn {

namespace {

constexpr int MostTokensShown = 12;  // how many legal tokens a refusal lists

// The fault for a text that is not a token. The choice after the Shifting Stone's prefix is checked separately.
Fault malformed(std::string_view text) {
    const auto fault = [](std::string_view kind, std::string_view what) {
        return Fault{kind, "token", {{"what", shorten(what)}}};
    };
    if (text.size() <= 3 || text[2] != ':' || tile_of(text.substr(0, 2)) == NoTile) return fault("not-a-token", text);
    const std::string_view choice = text.substr(3);
    if (choice.find(':') != std::string_view::npos) return fault("not-a-token", text);
    return fault(read_token(choice) ? "not-a-power" : "not-a-token", choice);
}

}  // namespace

std::optional<Reason> read_reason(std::string_view name) {
    const auto found = std::find(ReasonNames.begin(), ReasonNames.end(), name);
    if (found == ReasonNames.end()) return std::nullopt;
    return Reason(found - ReasonNames.begin());
}

std::optional<Outcome> outcome_on_board(const Position& position) {
    if (!position.is_over()) return std::nullopt;
    const Tribe winner = position.winner == Winner::Forest ? Forest : Sea;
    const bool by_score = position.scores[winner] == PointsToWin;
    return Outcome{position.winner, by_score ? Reason::Points : Reason::NoAction};
}

std::optional<Fault> refusal(const Position& position, const std::optional<Outcome>& outcome, std::string_view token) {
    const auto named = read_token(token);
    if (!named) return malformed(token);
    if (outcome)
        return Fault{"game-over",
                     "token",
                     {{"what", std::string(token)},
                      {"winner", std::string(WinnerNames[std::size_t(outcome->winner)])},
                      {"reason", std::string(ReasonNames[std::size_t(outcome->reason)])}}};
    TokenList legal;
    position.legal_tokens(legal);
    if (std::find(legal.begin(), legal.end(), *named) != legal.end()) return std::nullopt;

    sort_by_text(legal);
    std::string shown;
    for (int index = 0; index < std::min(legal.size(), MostTokensShown); ++index)
        shown += (index == 0 ? "" : " ") + write_token(legal[index]);
    return Fault{"illegal-token",
                 "token",
                 {{"what", std::string(token)},
                  {"phase", std::string(PhaseNames[std::size_t(position.phase)])},
                  {"decider", std::string(DeciderNames[std::size_t(position.decider)])},
                  {"legal", shown},
                  {"more", std::to_string(std::max(0, legal.size() - MostTokensShown))}}};
}

void Game::update_outcome() {
    ended_ = outcome_on_board(now());
    if (!ended_ && moments_.is_repetition()) ended_ = Outcome{Winner::Nobody, Reason::Repetition};
}

std::optional<Fault> Game::push(std::string_view token) {
    const auto named = read_token(token);
    if (!named || outcome()) return refusal(now(), outcome(), token);
    TokenList legal;
    now().legal_tokens(legal);
    const Token* found = std::find(legal.begin(), legal.end(), *named);
    if (found == legal.end()) return refusal(now(), outcome(), token);
    push(*found);  // the generated token also says which tile it flips
    return std::nullopt;
}

void Game::push(Token legal) {
    moments_.push(legal);
    update_outcome();
}

Token Game::pop() {
    declared_.reset();
    const Token last = moments_.pop();
    update_outcome();
    return last;
}

bool Game::end(Outcome outcome) {
    if (is_on_board(outcome.reason) || this->outcome()) return false;
    declared_ = outcome;
    return true;
}

}  // namespace cairn
