#include "search.h"

#include <algorithm>
#include <cstdlib>

#include "actions.h"
#include "search_details.h"

namespace cairn {

namespace {

// Shamans that can score immediately by leaving the field.
Spaces scoring_exits(const Position& position, Tribe tribe) {
    const ActionSets actions(position, tribe);
    return (actions.steps_out() | actions.jumps_out()) & ~position.megaliths;
}

// Whether the active player's enemy threatens to win by leaving the field.
bool loss_threatened(const Position& position) {
    const Tribe foe = enemy_of(position.active);
    return position.scores[foe] == PointsToWin - 1 && (position.shamans[foe] & LastRow[foe] & ~position.megaliths) != 0;
}

// The natural logarithm of a number from 1 to 63, computed at compile time because the browser build has no math
// library.
constexpr double log_of(std::size_t number) {
    double fraction = double(number), sum = 0;
    for (; fraction >= 2; fraction /= 2) sum += 0.69314718055994530942;
    const double ratio = (fraction - 1) / (fraction + 1);
    double power = 2 * ratio;
    for (int odd = 1; odd < 60; odd += 2, power *= ratio * ratio) sum += power / odd;
    return sum;
}

constexpr auto LateMoveReductions = [] {
    std::array<double, 64> logs{};
    for (std::size_t number = 1; number < 64; ++number) logs[number] = log_of(number);
    std::array<std::array<std::uint8_t, 64>, 64> table{};
    for (std::size_t depth = 1; depth < 64; ++depth)
        for (std::size_t index = 1; index < 64; ++index)
            table[depth][index] = std::uint8_t(0.4 + logs[depth] * logs[index] / 2.0);
    return table;
}();

// How much less deeply a token is searched. `rank` is its rank in the order of tokens.
int reduction(int depth, int index, int rank) {
    if (depth < 3 || rank >= SecondKillerRank) return 0;
    return LateMoveReductions[std::size_t(std::min(depth, 63))][std::size_t(std::min(index, 63))];
}

// Some of the tiles, spread evenly.
TokenList sample(const TokenList& tiles) {
    TokenList some;
    for (int index = 0; index < SampledTiles; ++index)
        some.add(tiles[(2 * index + 1) * tiles.size() / (2 * SampledTiles)]);
    return some;
}

}  // namespace

Past::Past(std::span<const Key> turn_starts) {
    std::vector<Key> sorted(turn_starts.begin(), turn_starts.end());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t index = 1; index < sorted.size(); ++index)
        if (sorted[index] == sorted[index - 1] && (twice.empty() || twice.back() != sorted[index])) {
            twice.push_back(sorted[index]);
            salt ^= mix(sorted[index] + 1);
        }
}

bool Search::out_of_time() {
    if (nodes_ >= limits_.nodes) aborted_ = true;
    if (nodes_ % 512 == 0) {
        shown_nodes_.store(nodes_, std::memory_order_relaxed);
        if (stop_.load(std::memory_order_relaxed)) aborted_ = true;
        if (pause_check_ != nullptr && pause_check_()) pause_wanted_ = true;
    }
    if (aborted_) unwinding_ = true;
    return aborted_;
}

// Whether a pause saved the node at this ply. The descent along the saved path ends at its last node.
bool Search::resumes_at(int ply) {
    if (ply >= resume_plies_) return false;
    if (ply == resume_plies_ - 1) resume_plies_ = 0;
    return true;
}

void Search::keep(int ply, const Node& node) {
    if (kept_nodes_.empty()) kept_nodes_.resize(MaxPly + 1);
    kept_nodes_[std::size_t(ply)] = node;
}

Score Search::estimate(const Position& position, Tribe mover) {
    return judgement_.network ? sums_.estimate(*judgement_.network, position, mover) : evaluate(position, mover);
}

bool Search::stood_twice(Key key) const {
    return std::find(past_.twice.begin(), past_.twice.end(), key) != past_.twice.end();
}

// A position that occurred twice before the search is a draw when it occurs again (G3). A position that is already on
// the path counts as a draw too, because the player who wants the repetition can repeat again. This can prevent a
// proof, but never create one.
bool Search::is_repetition(Key key, int ply) const {
    const auto end = turn_keys_.begin() + ply;
    return stood_twice(key) || std::find(turn_keys_.begin(), end, key) != end;
}

void Search::update_line(int ply, Token token) {
    const auto here = std::size_t(ply), below = here + 1;
    lines_[here][0] = token;
    const int length = ply + 1 <= MaxPly ? line_lengths_[below] : 0;
    std::copy_n(lines_[below].begin(), length, lines_[here].begin() + 1);
    line_lengths_[here] = std::min(length + 1, MaxPly);
}

// The score of a token for its decider: the result if the game ends, a draw by repetition, or the score from a deeper
// search.
Score Search::after_token(const Position& before, const Position& after, Window window, int depth, const Place& place) {
    const auto below = std::size_t(place.ply + 1);
    if (place.ply + 1 >= resume_plies_) line_lengths_[below] = 0;
    const Tribe me = viewer(before);
    if (after.is_over()) return final_score(after, me, place.turn);
    const bool turn_starts = after.phase == Phase::Action;
    if (turn_starts && is_repetition(after.key, place.ply + 1)) return Draw;
    turn_keys_[below] = turn_starts ? after.key : 0;
    const Place next{place.ply + 1, place.turn + turn_starts};
    return viewer(after) == me ? visit(after, window, depth, next) : -visit(after, window.opposite(), depth, next);
}

// Tokens after the first are expected to be worse, so they are searched with a null window, and late tokens also at
// reduced depth. A token is searched again if its score beats alpha.
Score Search::search_token(const Position& before, const Position& after, Node& node, const Place& place) {
    const int depth = node.depth - node.costs + (node.index == 0 && node.extends_first);
    const Window null_window{node.window.alpha, node.window.alpha + 1};
    if (node.attempt == Attempt::Reduced) {
        const Score score = after_token(before, after, null_window, depth - node.reduction, place);
        if (unwinding_ || score <= node.window.alpha) return score;
        if (node.reduction == 0 && score >= node.window.beta) return score;
        node.attempt = node.reduction > 0 ? Attempt::NullWindow : Attempt::Window;
    }
    if (node.attempt == Attempt::NullWindow) {
        const Score score = after_token(before, after, null_window, depth, place);
        if (unwinding_ || score <= node.window.alpha || score >= node.window.beta) return score;
        node.attempt = Attempt::Window;
    }
    return after_token(before, after, node.window, depth, place);
}

// Whether all tokens but the one from the table are worse than it by a margin. Searches them at half the depth.
bool Search::is_singular(const Position& position, const Finding& found, Score score, int depth, const Place& place) {
    if (depth < SingularDepth || place.ply >= 2 * root_depth_ || found.depth < depth - 3) return false;
    if (found.bound == Bound::Upper || std::abs(score) >= EstimateLimit) return false;
    const Score target = score - SingularMargin * depth;
    const int reduced_depth = (depth - 1) / 2;
    TokenList tokens;
    std::array<int, TokenList::Capacity> ranks;
    position.legal_tokens(tokens);
    order(position, tokens, found.token_code, place.ply, ranks);
    ++verifying_;
    bool singular = true;
    for (int index = 0; index < tokens.size() && singular; ++index) {
        const Token token = take_next(tokens, ranks, index);
        if (token.code() == found.token_code) continue;
        Position after = position;
        after.play(token);
        ++nodes_;
        const int depth_after = reduced_depth - 1 - reduction(reduced_depth, index, ranks[std::size_t(index)]);
        singular = after_token(position, after, {target - 1, target}, depth_after, place) < target;
        if (unwinding_) break;
    }
    --verifying_;
    return singular;
}

Score Search::visit(const Position& position, Window window, int depth, const Place& place) {
    Node node;
    const auto [ply, turn] = place;
    bool resumed = false;
    if (ply < resume_plies_) {
        if (position.phase == Phase::Draw) return chance(position, window, depth, place);
        resumed = resumes_at(ply);
        node = kept_nodes_[std::size_t(ply)];
    } else {
        // 1. Check for a stop or a pause. Either makes the search unwind, and the values that it returns are ignored.
        if (out_of_time()) return 0;
        if (pause_wanted_ && verifying_ == 0) {
            paused_ = unwinding_ = true;
            paused_plies_ = ply;
            return 0;
        }
        const bool is_action = position.phase == Phase::Action;
        if (ply >= MaxPly) return is_action ? estimate(position, position.active) : 0;

        // 2. Handle draws and the horizon. The search goes deeper if the enemy threatens to win at once.
        if (position.phase == Phase::Draw) return chance(position, window, depth, place);
        const bool threatened = is_action && loss_threatened(position);
        if (depth <= 0 && threatened && ply < 2 * root_depth_ + 8) depth = 1;
        if (depth <= 0) return quiesce(position, window, place, QuietDepth);

        // 3. Mate distance pruning: neither a win nor a loss can come sooner than this turn.
        if (turn - Won >= window.beta) return turn - Won;
        if (Won - turn <= window.alpha) return Won - turn;
        node.window = {std::max(window.alpha, turn - Won), std::min(window.beta, Won - turn)};
        node.is_wide = !node.window.is_null();

        // 4. Look up the moment in the table. A proven win or loss holds at any depth; other scores do not.
        node.key = position.moment_key() ^ past_.salt;
        const Finding found = table_.find(node.key).value_or(Finding());
        const Score known = from_table(found.score, turn);
        const bool won = known >= ProvenFrom && found.bound != Bound::Upper;
        const bool lost = known <= -ProvenFrom && found.bound != Bound::Lower;
        if (found.depth >= depth || won || lost) {
            if (found.bound == Bound::Exact && !node.is_wide) return known;
            if (found.bound == Bound::Lower && known >= node.window.beta) return known;
            if (found.bound == Bound::Upper && known <= node.window.alpha) return known;
        }

        // 5. Reverse futility pruning: give up if the estimate is so good that the enemy would not allow this moment.
        if (is_action && !node.is_wide && depth <= FutilityDepth && !threatened &&
            std::abs(node.window.beta) < EstimateLimit) {
            const Score estimated = estimate(position, position.active);
            if (estimated - FutilityMargin * depth >= node.window.beta) return estimated;
        }

        // 6. Generate all tokens, the most promising first.
        position.legal_tokens(node.tokens);
        order(position, node.tokens, found.token_code, ply, node.ranks);

        // 7. An action costs one ply of depth, and so does a power with many choices. The rest of a turn is free.
        node.costs = is_action || (position.phase == Phase::Power && node.tokens.size() > 4);
        node.depth = depth;
        node.best = -Infinite;
        node.best_token = node.tokens[0];

        // 8. Search the token from the table one step further if no other token comes close.
        if (node.costs && found.bound != Bound::None)
            node.extends_first = is_singular(position, found, known, depth, place);
        if (unwinding_) return 0;
    }

    for (; node.index < node.tokens.size(); ++node.index) {
        if (!resumed) {
            take_next(node.tokens, node.ranks, node.index);
            node.attempt = node.index == 0 ? Attempt::Window : Attempt::Reduced;
            node.reduction = 0;
            if (node.costs)
                node.reduction =
                    std::max(0, reduction(node.depth, node.index, node.ranks[std::size_t(node.index)]) - node.is_wide);
            ++nodes_;
        }
        resumed = false;

        // 9. Play the token.
        const Token token = node.tokens[node.index];
        Position after = position;
        after.play(token);

        // 10. Search the moment after it. No token is pruned, so a proven loss covers all tokens.
        const Score score = search_token(position, after, node, place);
        if (unwinding_) {
            if (paused_) keep(ply, node);
            return 0;
        }

        // 11. Update the best token. Cut off at beta, because the enemy would not allow this moment.
        if (score <= node.best) continue;
        node.best = score;
        node.best_token = token;
        if (score <= node.window.alpha) continue;
        node.window.alpha = score;
        node.bound = Bound::Exact;
        update_line(ply, token);
        if (node.window.alpha < node.window.beta) continue;
        node.bound = Bound::Lower;
        reward(position, node.tokens, node.index, node.depth, ply);
        break;
    }

    // 12. Store the result.
    table_.store(node.key, {to_table(node.best, turn), node.depth, node.bound, node.best_token.code()});
    return node.best;
}

// The expected score over all tiles that can be drawn. If there are many tiles, each is searched to a smaller depth, so
// that together they cost no more than a decision. The window of each outcome covers the scores that could still
// matter, given the bounds on the other outcomes (Ballard's Star1). The score is a proof only if all outcomes are
// proven.
Score Search::chance(const Position& position, Window window, int depth, const Place& place) {
    if (depth <= 0) return quiesce(position, window, place, QuietDepth);
    const auto [alpha, beta] = window;
    const int ply = place.ply;
    TokenList tiles;
    position.legal_tokens(tiles);

    // If only a proof could still matter, search every outcome with the node's own window.
    const Score limit = judgement_.outcome_limit;
    const bool win_wanted = alpha >= limit, loss_wanted = beta <= -limit;
    const bool own_window = tiles.size() == 1 || win_wanted || loss_wanted;

    // Near the horizon, a few tiles represent all of them, because an upcoming tile hardly changes the score there. The
    // result proves nothing. If one of them decides the game, they represent the others badly, and all are searched.
    ChanceNode node{.soonest = Infinite, .latest = -Infinite};
    bool resumed = resumes_at(ply);
    if (resumed) node = kept_chances_[std::size_t(ply)];
    const bool is_near = !own_window && tiles.size() > SampledTiles && depth <= SampledDepth;
    const int next_depth = tiles.size() == 1 ? depth : std::max(0, depth - 1 - (is_near || tiles.size() > 4));
    bool is_sampled = is_near && !node.needs_all;
    const TokenList all = tiles;
    if (is_sampled) tiles = sample(all);
    if (!resumed) node.all_won = node.all_lost = !is_sampled;
    int count = tiles.size();
    for (; node.index < count; ++node.index) {
        const int rest = (count - node.index - 1) * limit;
        const Score needed = alpha * count - node.sum - rest;  // at or below this, the sum fails low
        const Score enough = beta * count - node.sum + rest;   // at or above this, the sum fails high
        const Score low = own_window ? alpha : std::clamp(needed, -Infinite, ProvenFrom - 2);
        const Score high = own_window ? beta : std::clamp(enough, 2 - ProvenFrom, Infinite);
        Position after = position;
        after.play(tiles[node.index]);
        if (!resumed) ++nodes_;
        resumed = false;
        const Score score = after_token(position, after, {low, high}, next_depth, place);
        if (paused_) {
            if (kept_chances_.empty()) kept_chances_.resize(MaxPly + 1);
            kept_chances_[std::size_t(ply)] = node;
        }
        if (unwinding_ || count == 1) return score;
        if (is_sampled && is_proof(score)) {
            is_sampled = false;
            tiles = all;
            count = tiles.size();
            node = {.index = -1, .soonest = Infinite, .latest = -Infinite, .needs_all = true};
            continue;
        }

        // A score at or beyond an edge of its window is only a bound, and a bound in that direction proves nothing.
        node.all_won &= score >= ProvenFrom && score > low;
        node.all_lost &= score <= -ProvenFrom && score < high;
        node.soonest = std::min(node.soonest, score);
        node.latest = std::max(node.latest, score);
        const Score worth = std::clamp(score, -limit, limit);
        node.sum += worth;
        if (win_wanted && !node.all_won) return alpha;
        if (loss_wanted && !node.all_lost) return beta;
        if (own_window || node.all_won || node.all_lost) continue;
        if (worth <= needed) return alpha;
        if (worth >= enough) return beta;
    }
    line_lengths_[std::size_t(ply)] = 0;
    if (node.all_won) return node.soonest;
    if (node.all_lost) return node.latest;
    return node.sum / count;
}

// Quiescence search: beyond the horizon, plays out immediate points and unfinished turns.
Score Search::quiesce(const Position& position, Window window, const Place& place, int quiet_depth) {
    const auto [ply, turn] = place;
    line_lengths_[std::size_t(ply)] = 0;
    if (out_of_time()) return 0;
    const Tribe me = viewer(position);
    TokenList tokens;
    Score best = -Infinite;

    if (position.phase == Phase::Action) {
        // An exit for the last point wins. Otherwise assume that a quiet action is at least as good as the estimate.
        const Spaces exits = scoring_exits(position, me);
        if (exits != 0 && position.scores[me] == PointsToWin - 1) return Won - turn;
        best = estimate(position, me);
        if (best >= window.beta || quiet_depth == 0 || exits == 0 || ply >= MaxPly) return best;
        window.alpha = std::max(window.alpha, best);
        const ActionSets actions(position, me);
        for_each(exits, [&](Space space) {
            const bool by_step = (actions.steps_out() & bit(space)) != 0;
            tokens.add(Token(Kind::Travel, space, Nowhere, by_step ? MoveDiagonal : JumpEnemy));
        });
        --quiet_depth;
    } else {
        position.legal_tokens(tokens);
        const bool too_much = position.phase == Phase::Power && (tokens.size() > 16 || quiet_depth <= 0);
        if (too_much || ply >= MaxPly) {
            const Score score = estimate(position, position.next);
            return position.next == me ? score : -score;
        }
        quiet_depth -= position.phase == Phase::Power;
    }

    // The drawn tile hardly affects the evaluation, so one tile stands for all tiles. The result proves nothing.
    const bool drawing = position.phase == Phase::Draw;
    const int count = drawing ? 1 : tokens.size();
    for (int index = 0; index < count; ++index) {
        Position after = position;
        after.play(tokens[index]);
        ++nodes_;
        Score score;
        if (after.is_over()) {
            score = final_score(after, me, turn);
        } else if (after.phase == Phase::Action && stood_twice(after.key)) {
            score = Draw;  // G3
        } else {
            const Place next{ply + 1, turn + (after.phase == Phase::Action)};
            score = viewer(after) == me ? quiesce(after, window, next, quiet_depth)
                                        : -quiesce(after, window.opposite(), next, quiet_depth);
        }
        if (aborted_) return 0;
        if (drawing && tokens.size() > 1) score = std::clamp(score, -EstimateLimit, EstimateLimit);
        best = std::max(best, score);
        window.alpha = std::max(window.alpha, best);
        if (window.alpha >= window.beta) break;
    }
    return best;
}

}  // namespace cairn
