#include "review.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "../review.h"
#include "tokens.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {

namespace {

// A game to review. Its units may be searched by several threads at once; each search has its own table.
class Reviewer {
  public:
    Reviewer(const Moments& moments, std::optional<int> winner, std::uint64_t nodes)
        : game_(moments, declared(winner)), plan_(plan_review(moments)), effort_{nodes} {}

    std::vector<int> weights() const {
        std::vector<int> weights;
        for (const ReviewUnit& unit : plan_) weights.push_back(unit.weight);
        return weights;
    }

    std::string search(std::size_t unit) {
        if (unit >= plan_.size()) throw nb::index_error("there is no such unit");
        nb::gil_scoped_release release;
        ReviewSearch search(stop_);
        return write_findings(search.run(game_.moments(), plan_[unit], effort_));
    }

    std::string assemble(const std::vector<std::string>& texts) {
        std::vector<UnitFindings> units;
        for (const std::string& text : texts) {
            auto findings = read_findings(text);
            if (!findings) throw nb::value_error("not the findings of a review");
            units.push_back(std::move(*findings));
        }
        review_ = assemble_review(game_, units);
        if (!review_) throw nb::value_error("the findings do not fit the game");
        return write_review(*review_);
    }

    std::string retry(std::size_t index, nb::handle token) {
        if (!review_) throw nb::value_error("the review is not assembled yet");
        if (index >= review_->steps.size() || review_->steps[index].decider > Decider::Sea)
            throw nb::index_error("no tribe decides there");
        TokenList legal;
        game_.moments().before(index).legal_tokens(legal);
        const Token* found = TokenObjects::find(token, legal.begin(), legal.end());
        if (found == legal.end()) throw nb::value_error("the token is not legal there");
        nb::gil_scoped_release release;
        ReviewSearch search(stop_);
        return write_retry(cairn::retry(game_.moments(), *review_, index, *found, search, effort_));
    }

  private:
    // Only the winner matters, not the reason. An end on the board takes precedence.
    static std::optional<Outcome> declared(std::optional<int> winner) {
        if (!winner) return std::nullopt;
        return Outcome{Winner(*winner), Reason::Agreement};
    }

    Game game_;
    std::vector<ReviewUnit> plan_;
    ReviewEffort effort_;
    std::optional<Review> review_;
    const std::atomic<bool> stop_{false};  // never set: to cancel a review, search no further units
};

}  // namespace

void define_review(nb::module_& module) {
    module.attr("REVIEW_NODES") = ReviewEffort::UsualNodes;
    nb::class_<Reviewer>(module, "Reviewer")
        .def(nb::init<const Moments&, std::optional<int>, std::uint64_t>(), "moments"_a, "winner_number"_a.none(),
             "nodes"_a)
        .def_prop_ro("weights", &Reviewer::weights)
        .def("search", &Reviewer::search, "unit"_a)
        .def("assemble", &Reviewer::assemble, "findings"_a)
        .def("retry", &Reviewer::retry, "index"_a, "token"_a);
}

}  // namespace cairn
