#include "search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "actions.h"

namespace cairn {

namespace {

constexpr Score Infinite = Won + 1;
constexpr Score Draw = 0;
constexpr int HistoryLimit = 1 << 14;

// The tribe from whose point of view a moment is scored: the decider, or the active player if no tribe decides.
Tribe viewer(const Position& position) {
    return position.decider <= Decider::Sea ? Tribe(position.decider) : position.active;
}

// Proven scores are stored relative to the moment, so that they hold wherever the moment occurs in the tree.
Score to_table(Score score, int turn) {
    if (score >= ProvenFrom) return score + turn;
    if (score <= -ProvenFrom) return score - turn;
    return score;
}
Score from_table(Score score, int turn) {
    if (score >= ProvenFrom) return score - turn;
    if (score <= -ProvenFrom) return score + turn;
    return score;
}

// Shamans that can leave the field for a point immediately.
Spaces scoring_exits(const Position& position, Tribe tribe) {
    const ActionSets actions(position, tribe);
    return (actions.steps_out() | actions.jumps_out()) & ~position.megaliths;
}

// Whether the enemy of the active player threatens to win by leaving the field.
bool loss_threatened(const Position& position) {
    const Tribe foe = enemy_of(position.active);
    return position.scores[foe] == PointsToWin - 1 && (position.shamans[foe] & LastRow[foe] & ~position.megaliths) != 0;
}

const auto Reductions = [] {
    std::array<std::array<std::uint8_t, 64>, 64> table{};
    for (std::size_t depth = 1; depth < 64; ++depth)
        for (std::size_t index = 1; index < 64; ++index)
            table[depth][index] = std::uint8_t(0.4 + std::log(double(depth)) * std::log(double(index)) / 2.0);
    return table;
}();

// Brings the most promising of the remaining tokens to the front.
Token take_next(TokenList& tokens, std::array<int, TokenList::Capacity>& ranks, int index) {
    const auto next = std::max_element(ranks.begin() + index, ranks.begin() + tokens.size()) - ranks.begin();
    std::swap(ranks[std::size_t(index)], ranks[std::size_t(next)]);
    std::swap(tokens[index], tokens[int(next)]);
    return tokens[index];
}

// The score, for a tribe, of a game that ended in the given turn.
Score final_score(const Position& position, Tribe tribe, int turn) {
    return position.winner == (tribe == Forest ? Winner::Forest : Winner::Sea) ? Won - turn : turn - Won;
}

std::size_t history_index(Token token) { return token.without_copy().code(); }

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
    if (nodes_ >= node_limit_) aborted_ = true;
    if (nodes_ % 512 == 0) {
        shown_nodes_.store(nodes_, std::memory_order_relaxed);
        if (stop_.load(std::memory_order_relaxed) || (stop_check_ != nullptr && stop_check_())) aborted_ = true;
    }
    return aborted_;
}

bool Search::stood_twice(Key key) const {
    return std::find(past_->twice.begin(), past_->twice.end(), key) != past_->twice.end();
}

// A position that occurred twice before the search is a draw by G3. One that is already on the path counts as a draw
// too, because the player who wants the repetition can repeat again. That can prevent a proof, but never create one.
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

void Search::order(const Position& position, const TokenList& tokens, std::uint32_t first_code, int ply,
                   std::array<int, TokenList::Capacity>& ranks) const {
    const Tribe me = viewer(position);
    for (int index = 0; index < tokens.size(); ++index) {
        const Token token = tokens[index];
        int rank = history_[me][history_index(token)];
        if (token.code() == first_code)
            rank = 1 << 30;
        else if (token.kind() == Kind::Transform)
            rank = 1 << 29;
        else if (token.kind() == Kind::Travel && token.target() == Nowhere &&
                 (position.megaliths & bit(token.origin())) == 0)
            rank += 1 << 28;
        else if (token.code() == killers_[std::size_t(ply)][0])
            rank = 1 << 27;
        else if (token.code() == killers_[std::size_t(ply)][1])
            rank = 1 << 26;
        else if (position.phase == Phase::Action && (position.megaliths & bit(token.target())) != 0)
            rank += HistoryLimit / 4;  // activates something
        ranks[std::size_t(index)] = rank;
    }
}

// Updates the move ordering after a cutoff: tries the best token earlier next time, and those before it later.
void Search::reward(const Position& position, const TokenList& tokens, int best, int depth, int ply) {
    auto& history = history_[viewer(position)];
    const int bonus = std::min(depth * depth * 16, HistoryLimit / 8);
    const auto adjust = [&](Token token, int change) {
        int& value = history[history_index(token)];
        value += change - value * std::abs(change) / HistoryLimit;
    };
    adjust(tokens[best], bonus);
    for (int index = 0; index < best; ++index) adjust(tokens[index], -bonus);
    auto& killers = killers_[std::size_t(ply)];
    if (killers[0] != tokens[best].code()) killers = {tokens[best].code(), killers[0]};
}

// The score of a token for its decider: the end of the game, a repetition, or the result of the search below.
Score Search::after_token(const Position& before, const Position& after, Score alpha, Score beta, int depth, int ply,
                          int turn) {
    line_lengths_[std::size_t(ply + 1)] = 0;
    const Tribe me = viewer(before);
    if (after.is_over()) return final_score(after, me, turn);
    const bool turn_starts = after.phase == Phase::Action;
    if (turn_starts && is_repetition(after.key, ply + 1)) return Draw;
    turn_keys_[std::size_t(ply + 1)] = turn_starts ? after.key : 0;
    const int next_turn = turn + turn_starts;
    return viewer(after) == me ? visit(after, alpha, beta, depth, ply + 1, next_turn)
                               : -visit(after, -beta, -alpha, depth, ply + 1, next_turn);
}

Score Search::visit(const Position& position, Score alpha, Score beta, int depth, int ply, int turn) {
    // 1. Check for a stop. A stopped search unwinds with values that are ignored.
    if (out_of_time()) return 0;
    if (ply >= MaxPly) return position.phase == Phase::Action ? evaluate(position, position.active) : 0;

    // 2. Handle draws and the horizon. An immediate threat of a loss extends the search.
    if (position.phase == Phase::Draw) return chance(position, alpha, beta, depth, ply, turn);
    if (depth <= 0 && position.phase == Phase::Action && ply < 2 * root_depth_ + 8 && loss_threatened(position))
        depth = 1;
    if (depth <= 0) return quiesce(position, alpha, beta, ply, turn, 3);

    // 3. Neither a win nor a loss can come sooner than this turn (mate distance pruning).
    if (turn - Won >= beta) return turn - Won;
    if (Won - turn <= alpha) return Won - turn;
    alpha = std::max(alpha, turn - Won);
    beta = std::min(beta, Won - turn);

    // 4. Look up the moment in the table. A proven win or loss holds at any depth; the lack of one does not.
    const Key key = position.moment_key() ^ past_->salt;
    std::uint32_t first_code = Finding::NoCode;
    const bool in_window = beta - alpha > 1;
    if (const auto found = table_.find(key)) {
        first_code = found->token_code;
        const Score score = from_table(found->score, turn);
        const bool won = score >= ProvenFrom && found->bound != Bound::Upper;
        const bool lost = score <= -ProvenFrom && found->bound != Bound::Lower;
        if (found->depth >= depth || won || lost) {
            if (found->bound == Bound::Exact && !in_window) return score;
            if (found->bound == Bound::Lower && score >= beta) return score;
            if (found->bound == Bound::Upper && score <= alpha) return score;
        }
    }

    // 5. Generate all tokens, the most promising first.
    TokenList tokens;
    position.legal_tokens(tokens);
    std::array<int, TokenList::Capacity> ranks;
    order(position, tokens, first_code, ply, ranks);

    // 6. An action costs one step of depth, and so does a power with many choices. The rest of a turn is free.
    const bool costs = position.phase == Phase::Action || (position.phase == Phase::Power && tokens.size() > 4);
    const int next_depth = depth - costs;

    Score best = -Infinite;
    Token best_token = tokens[0];
    Bound bound = Bound::Upper;
    for (int index = 0; index < tokens.size(); ++index) {
        const Token token = take_next(tokens, ranks, index);

        // 7. Play it.
        Position after = position;
        after.play(token);
        ++nodes_;

        // 8. Later tokens are expected to be worse: search them with a null window, the late ones at reduced depth, and
        //    search again if the score beats alpha. No token is pruned, so a proven loss covers every token.
        Score score;
        if (index == 0) {
            score = after_token(position, after, alpha, beta, next_depth, ply, turn);
        } else {
            int reduction = 0;
            if (costs && depth >= 3 && ranks[std::size_t(index)] < 1 << 26)
                reduction = std::max(
                    0, Reductions[std::size_t(std::min(depth, 63))][std::size_t(std::min(index, 63))] - in_window);
            score = after_token(position, after, alpha, alpha + 1, next_depth - reduction, ply, turn);
            if (score > alpha && reduction > 0)
                score = after_token(position, after, alpha, alpha + 1, next_depth, ply, turn);
            if (score > alpha && score < beta) score = after_token(position, after, alpha, beta, next_depth, ply, turn);
        }
        if (aborted_) return 0;

        // 9. Update the best token. Cut off at beta: the enemy would not allow this moment.
        if (score <= best) continue;
        best = score;
        best_token = token;
        if (score <= alpha) continue;
        alpha = score;
        bound = Bound::Exact;
        update_line(ply, token);
        if (alpha < beta) continue;
        bound = Bound::Lower;
        reward(position, tokens, index, depth, ply);
        break;
    }

    // 10. Store the result.
    table_.store(key, {to_table(best, turn), depth, bound, best_token.code()});
    return best;
}

// The expected score over all tiles that can be drawn. The more outcomes there are, the less deeply each is searched,
// so that together they cost no more than a decision. A window around what the remaining outcomes could still change
// cuts the search short when it is hopeless (Ballard's Star1). The score is a proof only if every outcome is proven.
Score Search::chance(const Position& position, Score alpha, Score beta, int depth, int ply, int turn) {
    if (depth <= 0) return quiesce(position, alpha, beta, ply, turn, 3);
    TokenList tiles;
    position.legal_tokens(tiles);
    const int count = tiles.size();
    const int next_depth = count == 1 ? depth : std::max(0, depth - 1 - (count > 4));

    // If only a proof could still matter, search every outcome with the node's own window.
    const bool win_wanted = alpha >= EstimateLimit, loss_wanted = beta <= -EstimateLimit;
    const bool own_window = count == 1 || win_wanted || loss_wanted;
    int sum = 0;
    Score soonest = Infinite, latest = -Infinite;  // over all outcomes
    bool all_won = true, all_lost = true;
    for (int index = 0; index < count; ++index) {
        const int rest = (count - index - 1) * EstimateLimit;
        const Score needed = alpha * count - sum - rest;  // at or below this the sum fails low
        const Score enough = beta * count - sum + rest;   // at or above this it fails high
        const Score low = own_window ? alpha : std::clamp(needed, -Infinite, ProvenFrom - 2);
        const Score high = own_window ? beta : std::clamp(enough, 2 - ProvenFrom, Infinite);
        Position after = position;
        after.play(tiles[index]);
        ++nodes_;
        const Score score = after_token(position, after, low, high, next_depth, ply, turn);
        if (aborted_ || count == 1) return score;

        // A score at or outside an edge of its window is only a bound, and a bound in that direction proves nothing.
        all_won &= score >= ProvenFrom && score > low;
        all_lost &= score <= -ProvenFrom && score < high;
        soonest = std::min(soonest, score);
        latest = std::max(latest, score);
        const Score worth = std::clamp(score, -EstimateLimit, EstimateLimit);
        sum += worth;
        if (win_wanted && !all_won) return alpha;
        if (loss_wanted && !all_lost) return beta;
        if (own_window || all_won || all_lost) continue;
        if (worth <= needed) return alpha;
        if (worth >= enough) return beta;
    }
    line_lengths_[std::size_t(ply)] = 0;
    if (all_won) return soonest;
    if (all_lost) return latest;
    return sum / count;
}

// Quiescence search: beyond the horizon, plays out immediate points and unfinished turns.
Score Search::quiesce(const Position& position, Score alpha, Score beta, int ply, int turn, int patience) {
    line_lengths_[std::size_t(ply)] = 0;
    if (out_of_time()) return 0;
    const Tribe me = viewer(position);
    TokenList tokens;
    Score best = -Infinite;

    if (position.phase == Phase::Action) {
        // An exit for the last point wins. Otherwise assume that a quiet action is at least as good as the estimate.
        const Spaces exits = scoring_exits(position, me);
        if (exits != 0 && position.scores[me] == PointsToWin - 1) return Won - turn;
        best = evaluate(position, me);
        if (best >= beta || patience == 0 || exits == 0 || ply >= MaxPly) return best;
        alpha = std::max(alpha, best);
        const ActionSets actions(position, me);
        for_each(exits, [&](Space space) {
            const bool by_step = (actions.steps_out() & bit(space)) != 0;
            tokens.add(Token(Kind::Travel, space, Nowhere, by_step ? MoveDiagonal : JumpEnemy));
        });
        --patience;
    } else {
        position.legal_tokens(tokens);
        const bool too_much = position.phase == Phase::Power && (tokens.size() > 16 || patience <= 0);
        if (too_much || ply >= MaxPly) {
            const Score estimate = evaluate(position, position.next);
            return position.next == me ? estimate : -estimate;
        }
        patience -= position.phase == Phase::Power;
    }

    // The drawn tile hardly changes the evaluation, so one tile stands for all, and the result proves nothing.
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
            const int next_turn = turn + (after.phase == Phase::Action);
            score = viewer(after) == me ? quiesce(after, alpha, beta, ply + 1, next_turn, patience)
                                        : -quiesce(after, -beta, -alpha, ply + 1, next_turn, patience);
        }
        if (aborted_) return 0;
        if (drawing && tokens.size() > 1) score = std::clamp(score, -EstimateLimit, EstimateLimit);
        best = std::max(best, score);
        alpha = std::max(alpha, best);
        if (alpha >= beta) break;
    }
    return best;
}

Score Search::search_root(std::span<const Token> excluded, Score alpha, Score beta, int depth) {
    TokenList all, tokens;
    root_.legal_tokens(all);
    for (Token token : all)
        if (std::find(excluded.begin(), excluded.end(), token) == excluded.end()) tokens.add(token);
    const Key key = root_.moment_key() ^ past_->salt;
    const auto found = table_.find(key);
    const std::uint32_t first_code = excluded.empty() && found ? found->token_code : Finding::NoCode;
    std::array<int, TokenList::Capacity> ranks;
    order(root_, tokens, first_code, 0, ranks);
    const bool costs = root_.phase == Phase::Action || (root_.phase == Phase::Power && all.size() > 4);

    Score best = -Infinite;
    Token best_token = tokens[0];
    Bound bound = Bound::Upper;
    for (int index = 0; index < tokens.size(); ++index) {
        const Token token = take_next(tokens, ranks, index);
        Position after = root_;
        after.play(token);
        ++nodes_;
        Score score;
        if (index == 0) {
            score = after_token(root_, after, alpha, beta, depth - costs, 0, 1);
        } else {
            score = after_token(root_, after, alpha, alpha + 1, depth - costs, 0, 1);
            if (score > alpha && score < beta) score = after_token(root_, after, alpha, beta, depth - costs, 0, 1);
        }
        if (aborted_) return best;
        if (score <= best) continue;
        best = score;
        best_token = token;
        if (score <= alpha) continue;
        alpha = score;
        bound = Bound::Exact;
        update_line(0, token);
        if (alpha < beta) continue;
        bound = Bound::Lower;
        break;
    }
    if (excluded.empty()) table_.store(key, {to_table(best, 1), depth, bound, best_token.code()});
    return best;
}

// Searches with an aspiration window: widens it around the guess until the score falls inside.
Line Search::search_line(std::span<const Token> excluded, int depth, Score guess) {
    Score below = 40, above = 40;
    while (true) {
        const bool wide = depth < 4 || is_proof(guess);
        const Score alpha = wide || below > 400 ? -Infinite : guess - below;
        const Score beta = wide || above > 400 ? Infinite : guess + above;
        line_lengths_[0] = 0;
        const Score score = search_root(excluded, alpha, beta, depth);
        const Line line{score, depth, {lines_[0].begin(), lines_[0].begin() + line_lengths_[0]}};
        if (score > alpha && score < beta && !aborted_) return line;
        // An aborted search may have found a better token, but cannot have proven that all tokens lose.
        if (aborted_) return score > alpha && score > -ProvenFrom ? line : Line{};
        (score <= alpha ? below : above) *= 4;
    }
}

std::vector<Line> Search::run(const Position& root, const Past& past, const Limits& limits,
                              const std::function<void(const Progress&)>& report) {
    root_ = root;
    past_ = &past;
    nodes_ = 0;
    shown_nodes_ = 0;
    node_limit_ = limits.nodes;
    aborted_ = false;
    killers_ = {};
    for (auto& tribe : history_) tribe.fill(0);
    turn_keys_.fill(0);
    turn_keys_[0] = root.phase == Phase::Action ? root.key : 0;

    TokenList tokens;
    root.legal_tokens(tokens);
    const auto wanted = std::size_t(std::clamp(limits.lines, 1, std::max(1, tokens.size())));
    std::vector<Line> best{Line{0, 0, {tokens[0]}}};
    for (root_depth_ = 1; root_depth_ <= limits.depth; ++root_depth_) {
        std::vector<Line> lines;
        std::vector<Token> excluded;
        while (lines.size() < wanted && !aborted_) {
            const Score guess = lines.size() < best.size() ? best[lines.size()].score : 0;
            Line line = search_line(excluded, root_depth_, guess);
            if (aborted_ && (line.tokens.empty() || !lines.empty())) break;
            excluded.push_back(line.tokens[0]);
            lines.push_back(std::move(line));
        }
        // An unfinished depth still counts if its first line found a token.
        if (aborted_ && lines.empty()) break;
        std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
        if (aborted_ && lines.size() < wanted) {
            if (wanted == 1 && !lines.empty()) best = lines;
            break;
        }
        best = std::move(lines);
        if (aborted_) break;
        report({nodes_, best});
        // Searching deeper than a proof reaches does not improve it.
        const bool settled = is_proof(best[0].score) && root_depth_ > 2 * (Won - std::abs(best[0].score));
        if (settled && wanted == 1) break;
        if (tokens.size() == 1 && wanted == 1 && root_depth_ >= 8) break;
    }
    shown_nodes_ = nodes_;
    return best;
}

}  // namespace cairn
