#include "facts.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace cairn::training {

namespace {

constexpr std::size_t LuckTableMegabytes = 1;

// The legal tokens in the order of their notation, so that the order of searches does not depend on the tile that came.
TokenList sorted_legal(const Position& position) {
    TokenList legal;
    position.legal_tokens(legal);
    sort_by_text(legal);
    return legal;
}

// The generated token, which also says which tile it flips.
Token generated(const Position& position, Token token) {
    TokenList legal;
    position.legal_tokens(legal);
    const Token* found = std::find(legal.begin(), legal.end(), token);
    if (found == legal.end()) throw std::runtime_error("the file has an illegal token");
    return *found;
}

bool can_score(Token token) {
    return token.kind() == Kind::Transform || (token.kind() == Kind::Travel && token.target() == Nowhere);
}

Way way_of(Phase phase, Token token) {
    if (token.kind() == Kind::Transform) return Way::Transformation;
    if (phase == Phase::Power) return Way::Power;
    return token.flips() == MoveDiagonal ? Way::Move : Way::Jump;
}

Ending ending_of(const SelfPlayGame& game, const Moments& moments) {
    if (game.winner == Winner::Nobody) return moments.is_repetition() ? Ending::Repetition : Ending::TooLong;
    const auto winner = std::size_t(game.winner) - 1;
    return moments.now().scores[winner] == PointsToWin ? Ending::Score : Ending::NoAction;
}

}  // namespace

FactFinder::FactFinder(const Network* network, std::uint64_t nodes, const std::atomic<bool>& stop)
    : judgement_{.network = network}, table_(LuckTableMegabytes), search_(table_, stop) {
    limits_.nodes = nodes;
}

// Forest's expectation at a moment.
Expectation FactFinder::value_of(const ReviewMoment& moment) {
    if (moment.is_over()) return final_expectation(moment);
    if (moment.position.phase == Phase::Draw) return mean_of(values_by_tile(moment));
    table_.clear();
    const auto ignore = [](const Progress&) {};
    const auto lines = search_.run(moment.position, Past(moment.turn_starts), limits_, ignore, judgement_);
    const Expectation value = expectation_of(lines[0].score);
    return moment.position.decider == Decider::Forest ? value : other_side(value);
}

std::vector<Expectation> FactFinder::values_by_tile(const ReviewMoment& before_draw) {
    std::vector<Expectation> values;
    for (Token tile : sorted_legal(before_draw.position)) values.push_back(value_of(before_draw.after(tile)));
    return values;
}

void FactFinder::compare_builds(const ReviewMoment& moment, Token built, BuildChoice& choice) {
    const auto& upcoming = moment.position.upcoming;
    choice.built = std::uint8_t(built.tile());
    choice.other = std::uint8_t(upcoming[0] == built.tile() ? upcoming[1] : upcoming[0]);
    const ReviewMoment after = moment.after(built);
    Expectation value = 0;
    if (after.position.phase == Phase::Draw && !after.is_over()) {
        next_draw_ = values_by_tile(after);
        value = mean_of(next_draw_);
    } else {
        value = value_of(after);
    }
    const Expectation other = value_of(moment.after(Token(Kind::Build, choice.other)));
    choice.gain = gain_for(Tribe(moment.position.decider), value, other);
}

// Forest's luck.
Expectation FactFinder::luck_of(const ReviewMoment& moment, Token tile) {
    const TokenList tiles = sorted_legal(moment.position);
    const auto values = next_draw_.empty() ? values_by_tile(moment) : std::exchange(next_draw_, {});
    const auto came = std::find(tiles.begin(), tiles.end(), tile) - tiles.begin();
    return values[std::size_t(came)] - mean_of(values);
}

GameFacts FactFinder::find(const SelfPlayGame& game, std::uint32_t number, std::vector<BuildChoice>& builds) {
    GameFacts facts;
    facts.variant = std::uint8_t(game.variant);
    facts.faces = std::uint8_t(game.faces);
    facts.first = game.first;
    facts.tokens = std::uint16_t(game.tokens.size());
    facts.result = game.winner == Winner::Nobody ? 1 : Tribe(int(game.winner) - 1) == game.first ? 2 : 0;
    if (!game.tokens.empty()) facts.opening = game.tokens[0].score.value_or(0);

    Moments moments(game.start());
    Expectation luck = 0;
    Way way = Way::Move;
    next_draw_.clear();
    for (std::size_t index = 0; index < game.tokens.size(); ++index) {
        const Position before = moments.now();
        const Token token = generated(before, game.tokens[index].token);
        // 1. The luck of a draw, and the value of a choice between two megaliths.
        if (before.phase == Phase::Draw && before.count_legal() > 1) {
            luck += luck_of(ReviewMoment::before(moments, index), token);
            ++facts.draws;
        }
        moments.push(token);
        if (before.phase == Phase::Build && before.count_legal() == 2 && !moments.now().is_over()) {
            BuildChoice& choice = builds.emplace_back();
            choice.game = number;
            choice.token = std::uint16_t(index);
            choice.result = before.decider == Decider(game.first) ? facts.result : std::uint8_t(2 - facts.result);
            compare_builds(ReviewMoment::before(moments, index), token, choice);
        }
        // 2. The turns and the first action.
        if (before.phase == Phase::Action) {
            if (facts.turns++ == 0) facts.opening_tile = std::uint8_t(first_of(Spaces(token.flips())));
        }
        // 3. The points.
        if (can_score(token)) way = way_of(before.phase, token);
        for (Tribe tribe : {Forest, Sea})
            if (moments.now().scores[tribe] > before.scores[tribe])
                ++facts.points[tribe == game.first ? 0 : 1][std::size_t(way)];
    }
    facts.luck = game.first == Forest ? luck : -luck;
    facts.ending = std::uint8_t(ending_of(game, moments));
    return facts;
}

FileFacts facts_of(std::span<const std::uint8_t> file, const Network* network, std::uint64_t nodes) {
    if (!read_header(file)) throw std::runtime_error("not a file of self-play games");
    const auto games = file.subspan(FileHeader::Size);
    const std::atomic<bool> stop{false};
    const auto finder = std::make_unique<FactFinder>(network, nodes, stop);
    FileFacts facts;
    GameReader reader(games);
    SelfPlayGame game;
    while (reader.next(game))
        facts.games.push_back(finder->find(game, std::uint32_t(facts.games.size()), facts.builds));
    if (reader.consumed() != games.size()) throw std::runtime_error("the file ends in the middle of a game");
    return facts;
}

}  // namespace cairn::training
