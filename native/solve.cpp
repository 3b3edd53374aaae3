#include "solve.h"

#include <algorithm>
#include <unordered_set>

#include "actions.h"

namespace cairn {

namespace {

constexpr std::size_t FirstSize = std::size_t{1} << 10;

bool won_by(const Position& position, Tribe tribe) {
    return position.winner == (tribe == Forest ? Winner::Forest : Winner::Sea);
}

// The current turn counts as one of the remaining turns.
int turns_left_in(const Position& after, int turns) { return after.phase == Phase::Action ? turns - 1 : turns; }

// Whether an action brings a shaman onto a megalith.
bool lands_on_megalith(const Position& position, Token action) {
    return (position.megaliths & bit(action.target())) != 0;
}

bool is_scoring_exit(const Position& position, Token token) {
    return token.kind() == Kind::Travel && token.target() == Nowhere && (position.megaliths & bit(token.origin())) == 0;
}

}  // namespace

// --- The table

int ProofTable::Entry::worth() const {
    return std::max({proven[Forest], proven[Sea], disproven[Forest], disproven[Sea]});
}

ProofTable::ProofTable(std::size_t megabytes)
    : entries_(FirstSize), limit_(std::max(FirstSize, std::bit_floor((megabytes << 20) / sizeof(Entry)))) {}

void ProofTable::clear() {
    entries_.assign(FirstSize, Entry());
    used_ = 0;
}

const ProofTable::Entry* ProofTable::find(Key key, const Position& moment) const {
    for (std::size_t step = 0; step < Neighbours; ++step) {
        const Entry& entry = entries_[(std::size_t(key) + step) & (entries_.size() - 1)];
        if (entry.key == key && entry.worth() != 0 && entry.moment == moment) return &entry;
    }
    return nullptr;
}

// The entry for the moment. If there is none, a new entry replaces the least valuable one.
ProofTable::Entry& ProofTable::place(Key key, const Position& moment) {
    Entry* least = nullptr;
    for (std::size_t step = 0; step < Neighbours; ++step) {
        Entry& entry = entries_[(std::size_t(key) + step) & (entries_.size() - 1)];
        if (entry.key == key && entry.worth() != 0 && entry.moment == moment) return entry;
        if (least == nullptr || entry.worth() < least->worth()) least = &entry;
    }
    used_ += least->worth() == 0;
    *least = Entry();
    least->key = key;
    least->moment = moment;
    return *least;
}

void ProofTable::note(Key key, const Position& moment, Tribe attacker, int turns, bool wins, Token token) {
    if (used_ * 2 > entries_.size() && entries_.size() < limit_) grow();
    Entry& entry = place(key, moment);
    const auto number = std::uint8_t(turns);
    if (!wins)
        entry.disproven[attacker] = std::max(entry.disproven[attacker], number);
    else if (entry.proven[attacker] == 0 || number < entry.proven[attacker])
        entry.proven[attacker] = number;
    entry.token_code[attacker] = token.code();
}

void ProofTable::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    used_ = 0;
    for (const Entry& entry : old)
        if (entry.worth() != 0) place(entry.key, entry.moment) = entry;
}

// --- The search

// A position that occurred at the start of two turns is a draw when it occurs again (G3), so nobody can win from it.
// Repetitions within the line need no check, because G3 neither rules out a win that the search finds nor creates one:
//
//   Let d be the number of turns in which the attacker can force a win if only positions that already occurred twice
//   count as draws. d depends only on the moment, not on the path to it. If the attacker always plays a token that
//   achieves d, then d decreases from the start of each turn to the start of the next. No position can therefore occur
//   at the start of two turns after the root, so a position that occurred at most once before does not occur a third
//   time, and the win holds in the real game too. Conversely, a forced win in the real game never passes through a
//   draw, so it is also a win here.
//
// It follows that a table entry is valid however the moment was reached, as long as the set of drawn positions stays
// the same. Drawn positions are identified by their keys, so a key collision could hide a win but never create one.
void Solver::begin(const Past& past, std::uint64_t nodes) {
    if (drawn_ != past.twice) {
        table_.clear();
        drawn_ = past.twice;
    }
    for (auto& counts : history_) counts.fill(0);
    nodes_ = 0;
    node_limit_ = nodes;
    aborted_ = false;
}

bool Solver::out_of_nodes() {
    if (nodes_ >= node_limit_ || stop_.load(std::memory_order_relaxed)) aborted_ = true;
    return aborted_;
}

// Whether an action in the last turn cannot win. An action that activates nothing scores at most one point by leaving
// the field and one by a transformation (X4), and it moves no enemies except those that it banishes. If the enemy has a
// shaman in its village and none on its totem spaces, it can add a shaman afterwards, whichever face is visible. So it
// cannot lose for lack of an action (T1) either.
bool Solver::is_hopeless(const Position& position, Token action, bool enemy_can_add) const {
    if (!enemy_can_add || lands_on_megalith(position, action)) return false;
    return position.scores[attacker_] + is_scoring_exit(position, action) + 1 < PointsToWin;
}

// Orders the tokens: first the token that settled this moment before, then scoring tokens, then tokens that settled
// other moments. The attacker tries activations early, and the enemy tries them late.
void Solver::order(const Position& position, TokenList& tokens, std::uint32_t first_code) const {
    const bool attacks = position.decider == Decider(attacker_);
    std::array<std::uint64_t, TokenList::Capacity> ranked;
    for (int index = 0; index < tokens.size(); ++index) {
        const Token token = tokens[index];
        std::uint64_t rank = history_[attacker_][token.history_index()];
        if (token.code() == first_code)
            rank = std::uint64_t{1} << 38;
        else if (token.kind() == Kind::Transform || is_scoring_exit(position, token))
            rank += std::uint64_t{1} << 36;
        else if (position.phase == Phase::Action && lands_on_megalith(position, token) == attacks)
            rank += 16;
        ranked[std::size_t(index)] = rank << 23 | token.bits();
    }
    const auto end = ranked.begin() + tokens.size();
    std::sort(ranked.begin(), end, std::greater<>());
    std::transform(ranked.begin(), end, tokens.begin(),
                   [](std::uint64_t word) { return Token(std::uint32_t(word & ((1u << 23) - 1))); });
}

// Whether the attacker can force a win within `turns` turns, including the current one.
bool Solver::wins(const Position& position, int turns) {
    // 1. Check for a stop. If there is one, the search unwinds, and the values that it returns are ignored.
    if (out_of_nodes()) return false;

    // 2. Look up the moment in the table. A proof for fewer turns or a disproof for more turns also applies.
    const Key key = position.moment_key();
    std::uint32_t first_code = ProofTable::NoCode;
    if (const ProofTable::Entry* known = table_.find(key, position)) {
        if (known->proven[attacker_] != 0 && known->proven[attacker_] <= turns) return true;
        if (known->disproven[attacker_] >= turns) return false;
        first_code = known->token_code[attacker_];
    }

    // 3. If the attacker decides, one winning token settles the moment. If the enemy or chance decides, one token after
    //    which the attacker does not win settles it. Try the tokens that are likely to settle the moment first.
    const bool attacks = position.decider == Decider(attacker_);
    TokenList tokens;
    position.legal_tokens(tokens);
    if (tokens.size() > 1) order(position, tokens, first_code);
    Token settling = tokens[0];
    bool settled = false;

    // 4. In the last turn, skip actions that cannot end the game.
    const Tribe enemy = enemy_of(attacker_);
    const bool last_chance = turns == 1 && attacks && position.phase == Phase::Action;
    const Spaces totems = bit(Totem[enemy][0]) | bit(Totem[enemy][1]);
    const bool enemy_can_add = position.villages[enemy] != 0 && (position.shamans[enemy] & totems) == 0;

    for (Token token : tokens) {
        if (last_chance && is_hopeless(position, token, enemy_can_add)) continue;
        Position after = position;
        after.play(token);
        ++nodes_;
        const bool won = wins_after(after, turns);
        if (aborted_) return false;
        if (won != attacks) continue;
        settling = token;
        settled = true;
        break;
    }

    // 5. Store the result.
    if (settled) ++history_[attacker_][settling.history_index()];
    const bool won = settled == attacks;
    table_.note(key, position, attacker_, turns, won, settling);
    return won;
}

// Like `wins`, but for the moment after a token. The turn in which the token was played counts as the first. A loss for
// lack of an action (T1) counts as part of the previous turn, whose token ended the game.
bool Solver::wins_after(const Position& after, int turns) {
    if (after.is_over()) return won_by(after, attacker_);
    if (after.phase == Phase::Action) {
        if (turns == 1 || std::find(drawn_.begin(), drawn_.end(), after.key) != drawn_.end()) return false;  // G3
        return wins(after, turns - 1);
    }
    return wins(after, turns);
}

// The smallest number of turns, up to `turns`, for which wins_after holds; 0 if there is none.
int Solver::turns_after(const Position& after, int turns) {
    for (int number = 1; number <= turns; ++number)
        if (wins_after(after, number)) return number;
    return 0;
}

Solved Solver::solve(const Position& root, const Past& past, int turns, std::uint64_t nodes) {
    begin(past, nodes);
    const Tribe viewer = root.decider <= Decider::Sea ? Tribe(root.decider) : root.active;
    Solved solved;
    for (int number = 1; number <= turns; ++number) {
        for (Tribe attacker : {viewer, enemy_of(viewer)}) {
            attacker_ = attacker;
            const bool won = wins(root, number);
            solved.nodes = nodes_;
            if (aborted_) return solved;
            if (!won) continue;
            solved.verdict = attacker == viewer ? Verdict::Win : Verdict::Loss;
            solved.turns = number;
            nodes_ = 0;  // the line has its own limit
            solved.line = line(root, number);
            return solved;
        }
        solved.turns = number;
    }
    solved.verdict = Verdict::NotWithin;
    return solved;
}

// Returns the winning token or, if the attacker does not decide, the token that delays the win the longest. Sets
// `turns_left` to the number of turns left after that token. Precondition: the attacker wins in `turns` turns and no
// sooner. An aborted call returns an arbitrary token.
Token Solver::best_token(const Position& position, int turns, int& turns_left) {
    TokenList tokens;
    position.legal_tokens(tokens);
    sort_by_text(tokens);
    const bool attacks = position.decider == Decider(attacker_);
    Token best = tokens[0];
    turns_left = 0;
    for (Token token : tokens) {
        Position after = position;
        after.play(token);
        ++nodes_;
        // No token of the attacker wins sooner than in `turns` turns, so the first winning token is as good as any.
        const int number = attacks ? (wins_after(after, turns) ? turns : 0) : turns_after(after, turns);
        if (number <= turns_left) continue;
        best = token;
        turns_left = number;
        if (attacks || number == turns) break;
    }
    return best;
}

std::vector<Token> Solver::line(const Position& root, int turns) {
    std::vector<Token> tokens;
    for (Position position = root; !position.is_over();) {
        int turns_left = 0;
        const Token token = best_token(position, turns, turns_left);
        if (aborted_) break;
        tokens.push_back(token);
        position.play(token);
        turns = turns_left_in(position, turns_left);
    }
    // If there is no line, the table still has the first winning token.
    if (const auto* known = table_.find(root.moment_key(), root);
        tokens.empty() && known != nullptr && root.decider == Decider(attacker_)) {
        TokenList legal;
        root.legal_tokens(legal);
        tokens.push_back(*std::find(legal.begin(), legal.end(), Token(known->token_code[attacker_])));
    }
    return tokens;
}

std::vector<ProofStep> Solver::prove(const Position& root, const Past& past, Tribe attacker, int turns,
                                     std::uint64_t nodes) {
    begin(past, nodes);
    attacker_ = attacker;
    struct Open {
        Position moment;
        int turns;
    };
    std::vector<Open> open;
    std::vector<ProofStep> steps;
    for (int number = 1; number <= turns && open.empty(); ++number)
        if (wins(root, number)) open.push_back({root, number});

    std::unordered_set<Key> seen;  // a key collision would leave a gap in the proof, which a check would detect
    while (!open.empty() && !aborted_) {
        const Open now = open.back();
        open.pop_back();
        if (!seen.insert(now.moment.moment_key()).second) continue;
        ProofStep& step = steps.emplace_back(ProofStep{now.moment.moment_key(), now.turns, std::nullopt});

        TokenList tokens;
        int turns_left = 0;
        if (now.moment.decider == Decider(attacker)) {
            step.token = best_token(now.moment, now.turns, turns_left);
            tokens.add(*step.token);
        } else {
            now.moment.legal_tokens(tokens);
        }
        for (Token token : tokens) {
            Position after = now.moment;
            after.play(token);
            const int number = turns_after(after, now.turns);
            if (!after.is_over()) open.push_back({after, turns_left_in(after, number)});
        }
    }
    return aborted_ ? std::vector<ProofStep>() : steps;
}

std::vector<TokenTurns> Solver::turns_by_token(const Position& root, const Past& past, Tribe attacker, int turns,
                                               std::uint64_t nodes) {
    begin(past, nodes);
    attacker_ = attacker;
    TokenList tokens;
    root.legal_tokens(tokens);
    sort_by_text(tokens);
    std::vector<TokenTurns> judged;
    for (Token token : tokens) {
        Position after = root;
        after.play(token);
        ++nodes_;
        const int number = turns_after(after, turns);
        judged.push_back({token, aborted_ ? std::nullopt : std::optional(number)});
    }
    return judged;
}

// --- The reference search

namespace {

bool wins_plainly(const Position& position, Tribe attacker, int turns, std::uint64_t& nodes) {
    if (position.is_over()) return won_by(position, attacker);
    if (turns == 0 || nodes == 0) return false;
    const bool attacks = position.decider == Decider(attacker);
    TokenList tokens;
    position.legal_tokens(tokens);
    for (Token token : tokens) {
        if (nodes == 0) return false;
        --nodes;
        Position after = position;
        after.play(token);
        if (wins_plainly(after, attacker, turns_left_in(after, turns), nodes) == attacks) return attacks;
    }
    return !attacks;
}

}  // namespace

std::optional<bool> wins_exhaustively(const Position& position, Tribe attacker, int turns, std::uint64_t nodes) {
    const bool won = wins_plainly(position, attacker, turns, nodes);
    if (nodes == 0) return std::nullopt;
    return won;
}

}  // namespace cairn
