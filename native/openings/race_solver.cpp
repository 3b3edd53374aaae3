#include "race_solver.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <thread>

#include "zobrist.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cairn::openings {

namespace {

// What a pass looks for. The first pass for wins also looks for turns that score; later passes need not, since such
// positions are already won.
constexpr int FirstWins = 0, Wins = 1, FirstLosses = 2, Losses = 3;

std::unique_ptr<FaceSet[]> make_table(std::uint64_t size, FaceSet value) {
    // Left uninitialised first, so that the system can be asked for large pages before it provides any.
    auto table = std::make_unique_for_overwrite<FaceSet[]>(size);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t Page = 1 << 21;
    const auto first = (reinterpret_cast<std::uintptr_t>(table.get()) + Page - 1) & ~(Page - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(table.get() + size) & ~(Page - 1);
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // only a hint
#endif
    std::fill_n(table.get(), size, value);
    return table;
}

// The first entry from `index` on that is not 0, or the number of entries. Skips four at a time.
std::size_t next_open(std::span<const FaceSet> entries, std::size_t index) {
    for (std::uint64_t four = 0; index + 4 <= entries.size(); index += 4) {
        std::memcpy(&four, &entries[index], sizeof(four));
        if (four != 0) break;
    }
    while (index < entries.size() && entries[index] == 0) ++index;
    return index;
}

}  // namespace

// --- Layouts

RaceSolver::Layout::Layout(Cells first_area, Cells area, int tribe_size) : second_area(area), first(first_area) {
    std::uint64_t start = 0;
    Spread spread;
    spread.reset(first_area);
    for (Cells places : sets_of_places(popcount(first_area), tribe_size)) {
        const Cells set = spread(places);
        assert(first(set) == sets.size());
        sets.push_back(set);
        starts.push_back(start);
        start += choose_up_to(popcount(second_area & ~set), tribe_size);
    }
    starts.push_back(start);
}

// A row of `by_mover_`: the positions in which the enemy of the pass is to move, with the shamans `theirs`.
struct RaceSolver::Row {
    Cells theirs = 0;
    bool wins_at_once = false;  // a shaman in its far row: won, and not in the tables
    std::uint64_t start = 0;
    SetNumbers numbers;
};

// The rows that the turns of a row of `by_enemy_` lead to: that of its own enemy and, after a banishment, others.
class RaceSolver::RowCache {
  public:
    explicit RowCache(const Layout& layout) : layout_(layout) {}

    void reset(Cells theirs) {
        count_ = 0;
        add(theirs);
    }
    const Row& find(Cells theirs) {
        for (std::size_t index = 0; index < count_; ++index)
            if (rows_[index].theirs == theirs) return rows_[index];
        return add(theirs);
    }

  private:
    // All sets with up to two shamans fewer: a turn banishes at most one by the add action or by Chaos of the Giants,
    // and one by a transformation.
    static constexpr std::size_t Limit = 1 + 5 + 10;

    const Row& add(Cells theirs) {
        assert(count_ < Limit);
        Row& row = rows_[count_++];
        row.theirs = theirs;
        row.wins_at_once = (theirs & NearRow) != 0;
        if (!row.wins_at_once) {
            row.start = layout_.starts[layout_.first(theirs)];
            row.numbers.reset(layout_.second_area & ~theirs);
        }
        return row;
    }

    const Layout& layout_;
    std::array<Row, Limit> rows_;
    std::size_t count_ = 0;
};

// --- Passes

struct RaceSolver::Worker {
    Worker(const RaceSolver& solver, std::size_t limit)
        : rows(solver.by_mover_), sample_limit(limit), changed(solver.changed_.size()) {
        starts.fill(-1);
    }

    void offer(const RacePosition& position) {
        const std::uint64_t rank =
            mix(mix(std::uint64_t{position.mine} << 32 | position.theirs) + position.faces + 0x9e3779b97f4a7c15);
        const auto higher = [](const Sample& a, const Sample& b) { return a.rank < b.rank; };
        if (samples.size() == sample_limit) {
            if (sample_limit == 0 || rank >= samples.front().rank) return;
            std::pop_heap(samples.begin(), samples.end(), higher);
            samples.pop_back();
        }
        samples.push_back({rank, position});
        std::push_heap(samples.begin(), samples.end(), higher);
    }

    RowCache rows;
    Spread spread;
    std::size_t sample_limit;
    std::vector<Sample> samples;        // a heap, the highest rank first
    std::vector<std::uint8_t> changed;  // rows of by_mover_
    std::uint64_t decided = 0;
    std::array<std::int16_t, FaceSets> starts{};
};

RaceSolver::RaceSolver(int tribe_size)
    : tribe_size_(tribe_size),
      by_enemy_(AllCells, AllCells & ~FarRow, tribe_size),
      by_mover_(AllCells & ~NearRow, AllCells, tribe_size),
      pairs_(by_enemy_.starts.back()),
      open_(make_table(pairs_, AnyFaces)),
      won_(make_table(pairs_, 0)),
      lost_(make_table(pairs_, 0)),
      changed_(by_mover_.sets.size()),
      open_count_(positions()) {
    assert(by_mover_.starts.back() == pairs_);
    starts_.fill(-1);
    for (int count = 0; count <= CellCount; ++count) places_[std::size_t(count)] = sets_of_places(count, tribe_size);
}

std::uint64_t RaceSolver::mover_index(Cells mine, Cells theirs) const {
    const Cells mover = flip(mine);
    return by_mover_.starts[by_mover_.first(mover)] + set_number(by_mover_.second_area & ~mover, flip(theirs));
}

RaceResult RaceSolver::result(const RacePosition& position) const {
    if ((position.mine & FarRow) != 0) return turns_ >= 1 ? RaceResult::Win : RaceResult::Open;
    const std::uint64_t index = mover_index(position.mine, position.theirs);
    if (won_[index] >> position.faces & 1) return RaceResult::Win;
    return lost_[index] >> position.faces & 1 ? RaceResult::Loss : RaceResult::Open;
}

// Stores the result of the pass for a pair. Each pair is in one row of `by_enemy_`, so no other thread writes to it.
// The rows of `by_mover_` are shared by all threads, and so are their flags.
void RaceSolver::decide(Worker& worker, Cells mine, Cells theirs, FaceSet faces) {
    const std::uint64_t index = mover_index(mine, theirs);
    (turns_ % 2 != 0 ? won_ : lost_)[index] |= faces;
    worker.changed[by_mover_.first(flip(mine))] = 1;
    worker.decided += std::uint64_t(popcount(faces));
    for (FaceSet rest = faces; rest != 0; rest = FaceSet(rest & (rest - 1))) {
        const auto number = unsigned(std::countr_zero(rest));
        const RacePosition position{mine, theirs, number};
        worker.offer(position);
        if (position == start_with(number)) worker.starts[number] = std::int16_t(turns_);
    }
}

// Whether a turn from this row leads to a row that the last pass changed.
bool RaceSolver::may_change(Cells theirs) const {
    const auto has_changed = [&](Cells set) { return (set & NearRow) == 0 && changed_[by_mover_.first(set)] != 0; };
    if (has_changed(theirs)) return true;
    for (Cells first = theirs; first != 0; first &= first - 1) {
        const Cells left = theirs ^ lowest(first);
        if (has_changed(left)) return true;
        for (Cells second = first & (first - 1); second != 0; second &= second - 1)
            if (has_changed(left ^ lowest(second))) return true;
    }
    return false;
}

template <int Kind>
void RaceSolver::run_row(Worker& worker, std::size_t number) {
    constexpr bool LooksForWins = Kind == FirstWins || Kind == Wins;

    // After a turn, looks up the position in which the enemy is to move.
    struct Visitor {
        RowCache& rows;
        const FaceSet* table;  // lost_ if the pass looks for wins, won_ otherwise
        const Row* own;
        FaceSet open = 0;   // combinations that no turn has settled yet
        FaceSet found = 0;  // combinations in which the tribe to move wins

        void settle(FaceSet faces) {
            open = FaceSet(open & ~faces);
            if constexpr (LooksForWins) found |= faces;
        }
        void score(FaceSet faces) { settle(faces); }
        void turn(FaceSet faces, unsigned flips, Cells mine, Cells theirs) {
            if constexpr (Kind == FirstLosses) return settle(faces);  // an action is possible
            const Row& row = theirs == own->theirs ? *own : rows.find(theirs);
            if (row.wins_at_once) return;
            const FaceSet entry = with_flips(table[row.start + row.numbers(mine)], flips);
            settle(FaceSet(faces & (LooksForWins ? entry : FaceSet(~entry))));
        }
    };

    const std::span open(&open_[by_enemy_.starts[number]], &open_[by_enemy_.starts[number + 1]]);
    std::size_t index = next_open(open, 0);
    if (index == open.size()) return;
    const Cells theirs = by_enemy_.sets[number], area = by_enemy_.second_area & ~theirs;
    const auto& places = places_[std::size_t(popcount(area))];
    worker.spread.reset(area);
    worker.rows.reset(theirs);
    Visitor visitor{worker.rows, LooksForWins ? lost_.get() : won_.get(), &worker.rows.find(theirs)};
    TurnGenerator<Kind == FirstWins || Kind == FirstLosses, Visitor> generator(visitor, tribe_size_);
    for (; index < open.size(); index = next_open(open, index + 1)) {
        const Cells mine = worker.spread(places[index]);
        visitor.open = open[index];
        visitor.found = 0;
        generator.visit(mine, theirs);
        if (const FaceSet found = LooksForWins ? visitor.found : visitor.open; found != 0) {
            open[index] = FaceSet(open[index] & ~found);
            decide(worker, mine, theirs, found);
        }
    }
}

template <int Kind>
void RaceSolver::run_rows(Worker& worker) {
    while (true) {
        const std::size_t number = next_row_++;
        if (number >= by_enemy_.sets.size()) return;
        if (turns_ <= 2 || may_change(by_enemy_.sets[number])) run_row<Kind>(worker, number);
    }
}

void RaceSolver::run_pass(int threads, std::size_t samples) {
    ++turns_;
    next_row_ = 0;
    std::vector<std::unique_ptr<Worker>> workers;
    std::vector<std::thread> running;
    for (int index = 0; index < threads; ++index) {
        Worker& worker = *workers.emplace_back(std::make_unique<Worker>(*this, samples));
        running.emplace_back([this, &worker] {
            if (turns_ == 0)
                run_rows<FirstLosses>(worker);
            else if (turns_ == 1)
                run_rows<FirstWins>(worker);
            else if (turns_ % 2 != 0)
                run_rows<Wins>(worker);
            else
                run_rows<Losses>(worker);
        });
    }
    for (std::thread& thread : running) thread.join();

    decided_ = 0;
    samples_.clear();
    std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
    for (const auto& worker : workers) {
        decided_ += worker->decided;
        for (std::size_t row = 0; row < changed_.size(); ++row) changed_[row] |= worker->changed[row];
        samples_.insert(samples_.end(), worker->samples.begin(), worker->samples.end());
        for (std::size_t faces = 0; faces < FaceSets; ++faces)
            starts_[faces] = std::max(starts_[faces], worker->starts[faces]);
    }
    std::sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) { return a.rank < b.rank; });
    samples_.resize(std::min(samples_.size(), samples));
    open_count_ -= decided_;
}

// --- Saving and restoring

std::array<std::span<char>, 4> RaceSolver::state() {
    const auto bytes = [&](FaceSet* table) {
        return std::span(reinterpret_cast<char*>(table), std::size_t(pairs_ * sizeof(FaceSet)));
    };
    return {bytes(open_.get()), bytes(won_.get()), bytes(lost_.get()),
            std::span(reinterpret_cast<char*>(changed_.data()), changed_.size())};
}

void RaceSolver::restored(const Header& header) {
    turns_ = header.turns;
    open_count_ = header.open;
    decided_ = header.decided;
    starts_ = header.starts;
    samples_.clear();
}

}  // namespace cairn::openings
