#include "batch.h"

#include <algorithm>
#include <utility>

namespace cairn {

namespace {

constexpr int RepetitionsToDraw = 3;  // G3

std::uint64_t seed_of_game(std::uint64_t seed, int game) { return mix(mix(seed) + std::uint64_t(game)); }

std::uint32_t below(Random& random, std::uint32_t limit) {
    return std::uint32_t(std::uint64_t{random.next32()} * limit >> 32);
}

Position random_deal(Variant variant, Random& random) {
    const auto tiles = tiles_of(variant);
    std::array<Tile, TileLimit> order{};
    std::copy(tiles.begin(), tiles.end(), order.begin());
    for (std::size_t last = tiles.size() - 1; last > 0; --last)
        std::swap(order[last], order[below(random, std::uint32_t(last + 1))]);
    const int faces = int(below(random, FaceSets));
    const Tribe first = Tribe(below(random, 2));
    return *cairn::deal(variant, std::span(order).first(tiles.size()), faces, first);
}

Frame make_frame(const BatchSettings& settings) {
    const auto games = std::size_t(settings.games);
    const auto rows = [games](bool wanted, int length) { return wanted ? games * std::size_t(length) : 0; };
    Frame frame;
    const bool observes = (settings.outputs & Observations) != 0;
    frame.observations.resize(rows(observes, observed::Size));
    frame.final_observations.resize(rows(observes && settings.autoreset == Autoreset::SameStep, observed::Size));
    frame.masks.resize(rows((settings.outputs & ByteMasks) != 0, token_id::Count));
    frame.bits.resize(rows((settings.outputs & BitMasks) != 0, Frame::MaskWords));
    frame.legal.resize(rows(true, Frame::ListLength), -1);
    frame.counts.resize(games);
    frame.choices.resize(games, -1);
    frame.deciders.resize(games);
    frame.rewards.resize(rows(true, 2));
    frame.terminations.resize(games);
    frame.truncations.resize(games);
    frame.illegal.resize(games);
    return frame;
}

// The tribe from whose chair a moment is observed.
Tribe viewer_of(const Position& position) {
    return position.decider <= Decider::Sea ? Tribe(position.decider) : position.active;
}

}  // namespace

std::string_view BatchSettings::fault() const {
    if (games < 1 || games > MostGames) return "games";
    if (threads < 1 || threads > MostThreads) return "threads";
    if (longest_game < 0) return "longest_game";
    if ((outputs & ~(Observations | ByteMasks | BitMasks)) != 0) return "outputs";
    return "";
}

Batch::Batch(const BatchSettings& settings)
    : settings_(settings),
      games_(std::size_t(settings.games)),
      frames_{make_frame(settings), make_frame(settings)},
      workers_(std::min(settings.threads, settings.games)) {
    reset(settings.seed);
}

void Batch::reset(std::uint64_t seed) {
    settings_.seed = seed;
    for (int number = 0; number < settings_.games; ++number)
        games_[std::size_t(number)].random = Random(seed_of_game(seed, number));
    restart_where(true, nullptr);
}

void Batch::reset_games(const std::uint8_t* chosen) { restart_where(false, chosen); }

void Batch::restart_where(bool all, const std::uint8_t* chosen) {
    Frame& back = frames_[std::size_t(1 - front_)];
    workers_.run(settings_.games, [&](int first, int end) {
        for (int number = first; number < end; ++number) {
            Game& game = games_[std::size_t(number)];
            if (all || chosen[number] != 0) deal(game, number);
            clear_results(number, back);
            write(number, game, back);
        }
    });
    front_ = 1 - front_;
}

bool Batch::place(int number, const Position& position) {
    if (position.is_over()) return false;
    Game& game = games_[std::size_t(number)];
    start(game, position);
    Frame& front = frames_[std::size_t(front_)];
    clear_results(number, front);
    write(number, game, front);
    return true;
}

void Batch::deal(Game& game, int number) {
    const Variant variant = settings_.variant.value_or(Variant(number % int(VariantNames.size())));
    start(game, random_deal(variant, game.random));
}

void Batch::start(Game& game, const Position& position) {
    game.now = position;
    game.turn_starts.clear();
    game.points = position.scores[Forest] + position.scores[Sea];
    game.repeats = 0;
    game.tokens = 0;
    game.is_drawn = game.is_finished = false;
    note_turn_start(game);
}

void Batch::note_turn_start(Game& game) const {
    const int points = game.now.scores[Forest] + game.now.scores[Sea];
    if (points != game.points) game.turn_starts.clear();
    game.points = points;
    game.repeats = int(std::count(game.turn_starts.begin(), game.turn_starts.end(), game.now.key));
    game.is_drawn = game.repeats + 1 >= RepetitionsToDraw;
    game.turn_starts.push_back(game.now.key);
}

// Plays a token, and the draw after it unless draws are choices of the caller.
void Batch::play(Game& game, Token token) const {
    game.now.play(token);
    ++game.tokens;
    if (game.now.phase == Phase::Draw && !settings_.chooses_draws) {
        game.now.play(game.now.pick_legal(game.random.next32()));
        ++game.tokens;
    }
    if (game.now.phase == Phase::Action) note_turn_start(game);
}

bool Batch::is_listed(int number, int id) const {
    const std::int16_t* first = frame().legal.data() + std::size_t(number) * Frame::ListLength;
    const std::int16_t* end = first + frame().counts[std::size_t(number)];
    return std::find(first, end, id) != end;
}

int Batch::first_illegal(const std::int32_t* ids) const {
    for (int number = 0; number < settings_.games; ++number)
        if (!games_[std::size_t(number)].is_finished && !is_listed(number, ids[number])) return number;
    return -1;
}

int Batch::step(const std::int32_t* ids) {
    if (settings_.is_strict) {
        const int illegal = first_illegal(ids);
        if (illegal >= 0) return illegal;
    }
    advance_all([&](int number) { return int(ids[number]); });
    return -1;
}

void Batch::step_random() {
    advance_all([&](int number) {
        const auto row = std::size_t(number);
        const int count = frame().counts[row];
        if (count == 0) return -1;  // the game is finished
        const std::uint32_t index = below(games_[row].random, std::uint32_t(count));
        return int(frame().legal[row * Frame::ListLength + index]);
    });
}

template <typename Choose>
void Batch::advance_all(Choose choose) {
    workers_.run(settings_.games, [&](int first, int end) {
        for (int number = first; number < end; ++number) advance(number, choose(number));
    });
    front_ = 1 - front_;
}

void Batch::advance(int number, int id) {
    const auto row = std::size_t(number);
    Game& game = games_[row];
    Frame& back = frames_[std::size_t(1 - front_)];
    clear_results(number, back);

    // 1. A finished game ignores the choice.
    if (game.is_finished) {
        if (settings_.autoreset == Autoreset::NextStep) {
            deal(game, number);
        } else {  // Disabled: the results of the end stay
            back.terminations[row] = frame().terminations[row];
            back.truncations[row] = frame().truncations[row];
        }
        return write(number, game, back);
    }

    // 2. An illegal choice costs something and changes nothing. `first_illegal` has checked the choices of strict
    // batches.
    if (!settings_.is_strict && !is_listed(number, id)) {
        back.illegal[row] = 1;
        if (game.now.decider <= Decider::Sea)
            back.rewards[2 * row + std::size_t(game.now.decider)] = settings_.illegal_reward;
        return write(number, game, back);
    }

    // 3. Play.
    play(game, *decode(game.now, id));
    back.choices[row] = std::int16_t(id);

    // 4. The end of the game.
    const bool over = game.now.is_over() || game.is_drawn;
    const bool too_long = !over && settings_.longest_game != 0 && game.tokens >= settings_.longest_game;
    if (game.now.is_over()) {
        const Tribe winner = game.now.winner == Winner::Forest ? Forest : Sea;
        back.rewards[2 * row + winner] = 1.0f;
        back.rewards[2 * row + enemy_of(winner)] = -1.0f;
    }
    back.terminations[row] = over;
    back.truncations[row] = too_long;
    if (over || too_long) {
        game.is_finished = true;
        if (settings_.autoreset == Autoreset::SameStep) {
            if (!back.final_observations.empty())
                observe(game.now, viewer_of(game.now), game.repeats,
                        back.final_observations.data() + row * observed::Size);
            deal(game, number);
        }
    }
    write(number, game, back);
}

void Batch::clear_results(int number, Frame& frame) const {
    const auto row = std::size_t(number);
    frame.choices[row] = -1;
    frame.rewards[2 * row] = frame.rewards[2 * row + 1] = 0.0f;
    frame.terminations[row] = frame.truncations[row] = frame.illegal[row] = 0;
}

void Batch::write(int number, const Game& game, Frame& frame) const {
    const auto row = std::size_t(number);
    frame.deciders[row] = std::uint8_t(game.is_finished ? Decider::None : game.now.decider);
    if (!frame.observations.empty())
        observe(game.now, viewer_of(game.now), game.repeats, frame.observations.data() + row * observed::Size);
    write_legal(number, game, frame);
}

// The list in the frame says which entries of the masks have to be cleared. That is much less work than clearing all.
void Batch::write_legal(int number, const Game& game, Frame& frame) const {
    const auto row = std::size_t(number);
    std::int16_t* list = frame.legal.data() + row * Frame::ListLength;
    const int before = frame.counts[row];
    LegalIds legal;
    if (!game.is_finished) legal.list(game.now);

    if (!frame.masks.empty()) {
        std::uint8_t* mask = frame.masks.data() + row * token_id::Count;
        for (int index = 0; index < before; ++index) mask[list[index]] = 0;
        for (std::uint16_t id : legal) mask[id] = 1;
    }
    if (!frame.bits.empty()) {
        std::uint64_t* bits = frame.bits.data() + row * Frame::MaskWords;
        for (int index = 0; index < before; ++index) bits[list[index] / 64] = 0;
        for (std::uint16_t id : legal) bits[id / 64] |= std::uint64_t{1} << (id % 64);
    }
    std::copy(legal.begin(), legal.end(), list);
    if (legal.size() < before) std::fill(list + legal.size(), list + before, std::int16_t{-1});
    frame.counts[row] = std::int16_t(legal.size());
}

}  // namespace cairn
