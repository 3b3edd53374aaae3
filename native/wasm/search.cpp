// Runs searches and level decisions in slices. A worker handles messages between the slices.
#include "../search.h"

#include <algorithm>
#include <memory>

#include "../levels.h"
#include "module.h"

extern "C" __attribute__((import_module("cairn"), import_name("should_pause"))) int cairn_should_pause();

namespace cairn::page {

namespace {

// The module's only search. It is allocated on the heap, because the table and the search are too large for the stack.
class PageSearch {
  public:
    void begin(const Limits& limits) {
        decision_.reset();
        aborting_ = false;
        begin_search(limits, false);
    }

    void begin(const Level& level, std::uint64_t seed) {
        aborting_ = false;
        decision_.emplace(level, Limits(), random_at(game->now(), seed));
        begin_search(decision_->next()->limits, decision_->next()->clear);
    }

    // Returns whether the search, or the last search of a level, has ended.
    bool proceed() {
        while (search_.proceed([](const Progress&) {})) {
            if (!decision_) return true;
            decision_->found({search_.lines(), search_.nodes()});
            if (!decision_->next()) return true;
            begin_search(decision_->next()->limits, decision_->next()->clear);
        }
        return false;
    }

    void abort() {
        aborting_ = true;
        search_.abort();
    }
    void clear() { table_.clear(); }

    // Uses a network for searches; levels keep the hand-made evaluation. Returns false if the bytes are not a network.
    bool load_network(std::string_view bytes) {
        auto network = std::make_unique<Network>();
        const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
        if (!read_network({data, bytes.size()}, *network)) return false;
        network_ = std::move(network);
        judgement_.network = network_.get();
        return true;
    }

    int write(bool done) const {
        const bool decided = done && decision_;
        return answer([&](Json& json) {
            json.object([&] {
                json.name("done");
                json.boolean(done);
                json.name("depth");
                json.number(decided ? decision_->decision().depth : search_.lines()[0].depth);
                json.name("nodes");
                json.number(std::int64_t(decided ? decision_->decision().nodes : earlier_nodes() + search_.nodes()));
                json.name("lines");
                json.array([&] {
                    if (decided) return write_line(json, decision_->decision().line);
                    for (const Line& line : search_.lines()) write_line(json, line);
                });
            });
        });
    }

  private:
    void begin_search(const Limits& limits, bool clear) {
        if (clear) table_.clear();
        table_.new_search();
        const auto turn_starts = game->moments().turn_start_keys();
        search_.begin(game->now(), Past(turn_starts), limits, decision_ ? LevelJudgement : judgement_);
        if (aborting_) search_.abort();
    }

    std::uint64_t earlier_nodes() const { return decision_ ? decision_->decision().nodes : 0; }

    static void write_line(Json& json, const Line& line) {
        json.object([&] {
            json.name("score");
            json.number(line.score);
            json.name("tokens");
            write_tokens(json, line.tokens);
        });
    }

    Table table_{LevelMegabytes};
    Search search_{table_, never_stop, [] { return cairn_should_pause() != 0; }};
    std::unique_ptr<Network> network_;
    Judgement judgement_;
    std::optional<LevelDecision> decision_;
    bool aborting_ = false;
};

PageSearch& page_search() {
    static const auto search = std::make_unique<PageSearch>();
    return *search;
}

bool can_search() { return game && !game->outcome() && game->now().decider <= Decider::Sea; }

}  // namespace

// Begins a search; a limit of 0 means no limit. The input lists the first tokens to consider, separated by spaces; it
// is empty for all. Returns 0 if no tribe decides.
CAIRN_EXPORT(begin_search) int begin_search(double nodes, int depth, int lines) {
    if (!can_search()) return 0;
    Limits limits;
    TokenList legal;
    game->now().legal_tokens(legal);
    const std::string listed = " " + input_text + " ";
    for (Token token : legal)
        if (listed.find(" " + write_token(token) + " ") != std::string::npos) limits.only.push_back(token);
    if (nodes > 0) limits.nodes = std::uint64_t(nodes);
    if (depth > 0) limits.depth = std::min(depth, Limits::MaxDepth);
    limits.lines = lines;
    page_search().begin(limits);
    return 1;
}

// Begins a level's decision. Returns 0 if there is no such level or no tribe decides.
CAIRN_EXPORT(begin_decision) int begin_decision(int level, std::uint64_t seed) {
    if (!can_search() || level < 1 || level > int(Levels.size())) return 0;
    page_search().begin(Levels[std::size_t(level - 1)], seed);
    return 1;
}

// Continues until the search ends or `should_pause` returns true. Answers with the lines so far, and whether they are
// final.
CAIRN_EXPORT(proceed) int proceed() { return page_search().write(page_search().proceed()); }

// Ends a search early. Call `proceed` to get its lines.
CAIRN_EXPORT(abort_search) void abort_search() { page_search().abort(); }

// Lets searches use the network whose weights are the input. Returns 0 if the input is not a file of weights; searches
// then keep using the hand-made evaluation.
CAIRN_EXPORT(load_network) int load_network() { return page_search().load_network(input_text); }

// Clears the table, which contains the results of earlier searches.
CAIRN_EXPORT(clear) void clear() { page_search().clear(); }

}  // namespace cairn::page
