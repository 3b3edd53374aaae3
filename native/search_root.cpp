// The root of the search: iterative deepening, aspiration windows and several lines.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "search_details.h"

namespace cairn {

namespace {

// Whether a helper thread leaves out a depth. The helpers leave out different depths, so that they are not all busy
// with the tree that the first thread is searching: one searches every second depth, others two of four, and so on.
bool is_skipped(int depth, int helper) {
    constexpr std::array<int, 8> Sizes{1, 1, 2, 2, 2, 2, 3, 3}, Phases{0, 1, 0, 1, 2, 3, 0, 1};
    if (helper == 0) return false;
    const auto index = std::size_t(helper - 1) % Sizes.size();
    return (depth + Phases[index]) / Sizes[index] % 2 != 0;
}

}  // namespace

Score Search::search_root(Window window) {
    Node node;
    bool resumed = resumes_at(0);
    if (resumed) {
        node = kept_nodes_[0];
    } else {
        for (Token token : root_tokens_)
            if (std::find(excluded_.begin(), excluded_.end(), token) == excluded_.end()) node.tokens.add(token);
        node.key = root_.moment_key() ^ past_.salt;
        const auto found = table_.find(node.key);
        const std::uint32_t first_code = excluded_.empty() && found ? found->token_code : Finding::NoCode;
        order(root_, node.tokens, first_code, 0, node.ranks);
        node.costs = root_.phase == Phase::Action || (root_.phase == Phase::Power && root_choices_ > 4);
        node.window = window;
        node.depth = root_depth_;
        node.best = -Infinite;
        node.best_token = node.tokens[0];
    }

    for (; node.index < node.tokens.size(); ++node.index) {
        if (!resumed) {
            take_next(node.tokens, node.ranks, node.index);
            node.attempt = node.index == 0 ? Attempt::Window : Attempt::Reduced;
            ++nodes_;
        }
        resumed = false;
        const Token token = node.tokens[node.index];
        Position after = root_;
        after.play(token);
        const Score score = search_token(root_, after, node, {0, 1});
        if (unwinding_) {
            if (paused_) keep(0, node);
            return node.best;
        }
        if (score <= node.best) continue;
        node.best = score;
        node.best_token = token;
        if (score <= node.window.alpha) continue;
        node.window.alpha = score;
        node.bound = Bound::Exact;
        update_line(0, token);
        if (node.window.alpha < node.window.beta) continue;
        node.bound = Bound::Lower;
        break;
    }
    if (excluded_.empty() && root_tokens_.size() == root_choices_)
        table_.store(node.key, {to_table(node.best, 1), node.depth, node.bound, node.best_token.code()});
    return node.best;
}

// Searches with an aspiration window around the guess, and widens the window until the score falls inside.
Line Search::search_line() {
    const Score guess = found_.size() < best_.size() ? best_[found_.size()].score : 0;
    if (resume_plies_ == 0) {
        below_ = above_ = 40;
        failed_high_ = {};
    }
    while (true) {
        const bool wide = root_depth_ < 4 || is_proof(guess);
        const Window window{wide || below_ > 400 ? -Infinite : guess - below_,
                            wide || above_ > 400 ? Infinite : guess + above_};
        if (resume_plies_ == 0) line_lengths_[0] = 0;
        const Score score = search_root(window);
        if (paused_) return {};
        const Line line{score, root_depth_, {lines_[0].begin(), lines_[0].begin() + line_lengths_[0]}};
        if (score > window.alpha && score < window.beta && !aborted_) return line;
        // An aborted search may have found a better token, but cannot have proven that all tokens lose. If it found
        // none, the token that made a narrower window fail high is still better than the guess.
        if (aborted_) return score > window.alpha && score > -ProvenFrom ? line : failed_high_;
        failed_high_ = score >= window.beta ? line : Line{};
        (score <= window.alpha ? below_ : above_) *= 4;
    }
}

// Searches the remaining lines at this depth.
void Search::search_depth() {
    while (found_.size() < wanted_ && (!aborted_ || resume_plies_ != 0)) {
        Line line = search_line();
        if (paused_ || (aborted_ && (line.tokens.empty() || !found_.empty()))) return;
        excluded_.push_back(line.tokens[0]);
        found_.push_back(std::move(line));
    }
}

// Accepts the lines of this depth and moves on to the next depth. Returns whether the search has ended.
bool Search::finish_depth(const Report& report) {
    // An unfinished depth still counts if its only line found a token.
    if (aborted_ && found_.size() < wanted_) return true;
    std::stable_sort(found_.begin(), found_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
    best_ = std::exchange(found_, {});
    excluded_.clear();
    if (aborted_) return true;
    report({nodes_, best_});
    // Searching deeper than the length of a proof does not improve it.
    const bool settled = is_proof(best_[0].score) && root_depth_ > 2 * (Won - std::abs(best_[0].score));
    if (settled && wanted_ == 1) return true;
    if (root_choices_ == 1 && wanted_ == 1 && root_depth_ >= 8) return true;
    do ++root_depth_;
    while (is_skipped(root_depth_, limits_.helper));
    return root_depth_ > limits_.depth;
}

void Search::begin(const Position& root, const Past& past, const Limits& limits, const Judgement& judgement) {
    root_ = root;
    past_ = past;
    limits_ = limits;
    judgement_ = judgement;
    nodes_ = 0;
    shown_nodes_ = 0;
    unwinding_ = aborted_ = paused_ = false;
    paused_plies_ = 0;
    verifying_ = 0;
    killers_ = {};
    // Earlier searches of the same game are a good guide, but less and less so.
    const bool is_new_game = std::exchange(era_, table_.era()) != table_.era();
    for (auto& tribe : history_)
        for (int& value : tribe) value = is_new_game ? 0 : value / 2;
    turn_keys_.fill(0);
    turn_keys_[0] = root.phase == Phase::Action ? root.key : 0;

    TokenList tokens;
    root.legal_tokens(tokens);
    root_choices_ = tokens.size();
    root_tokens_ = {};
    for (Token token : tokens)
        if (std::find(limits.only.begin(), limits.only.end(), token) != limits.only.end()) root_tokens_.add(token);
    if (root_tokens_.size() == 0) root_tokens_ = tokens;
    wanted_ = std::size_t(std::clamp(limits.lines, 1, std::max(1, root_tokens_.size())));
    best_ = {Line{0, 0, {root_tokens_[0]}}};
    found_.clear();
    excluded_.clear();
    root_depth_ = 1;
    ended_ = limits.depth < 1;
}

bool Search::proceed(const Report& report) {
    resume_plies_ = std::exchange(paused_plies_, 0);
    unwinding_ = paused_ = pause_wanted_ = false;
    while (!ended_) {
        search_depth();
        if (paused_) break;
        ended_ = finish_depth(report);
    }
    shown_nodes_ = nodes_;
    return ended_;
}

}  // namespace cairn
