#include "texts.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "../record.h"
#include "../text.h"
#include "tokens.h"

namespace cairn {

using namespace nb::literals;

namespace {

nb::bytes show(std::string_view text) { return nb::bytes(text.data(), text.size()); }

nb::list show_faults(const std::vector<Fault>& faults) {
    nb::list shown;
    for (const Fault& fault : faults) shown.append(show_fault(fault));
    return shown;
}

nb::list position_faults_of(const nb::bytes& text, bool whole) {
    return show_faults(position_faults(view(text), whole ? Check::Validity : Check::Syntax));
}

// Returns the faults, or if there are none, the start, the tokens, the declared outcome, the headers and the notes.
nb::tuple read_record_text(const nb::bytes& text, bool strictly_utf8) {
    const ReadRecord read = read_record(view(text), strictly_utf8);
    if (!read.record) return nb::make_tuple(show_faults(read.faults), nb::none());
    const Record& record = *read.record;
    nb::list tokens, headers, notes;
    for (Token token : record.game.moments().tokens()) tokens.append(TokenObjects::of(token));
    for (const auto& [name, value] : record.headers) headers.append(nb::make_tuple(show(name), show(value)));
    for (const auto& [index, note] : record.notes) {
        nb::list comments;
        for (const std::string& comment : note.comments) comments.append(show(comment));
        notes.append(nb::make_tuple(index, nb::cast(note.marks), comments));
    }
    return nb::make_tuple(nb::list(), nb::make_tuple(write_position(record.game.moments().start()), tokens,
                                                     show_outcome(record.game.declared()), headers, notes));
}

using WrittenNote = std::tuple<std::int64_t, std::vector<int>, std::vector<nb::bytes>>;

// Returns the faults, and the text if there are none.
nb::tuple write_record_text(const Moments& moments, const OutcomeCode& declared,
                            const std::vector<std::tuple<nb::bytes, nb::bytes>>& headers,
                            const std::vector<WrittenNote>& notes) {
    Record record(Game(moments, read_outcome(declared)));
    for (const auto& [name, value] : headers) record.headers.emplace_back(view(name), view(value));
    for (const auto& [index, marks, comments] : notes) {
        Note note{marks, {}};
        for (const nb::bytes& comment : comments) note.comments.emplace_back(view(comment));
        record.notes.emplace_back(index, std::move(note));
    }
    const auto faults = record_faults(record);
    if (!faults.empty()) return nb::make_tuple(show_faults(faults), nb::bytes("", 0));
    return nb::make_tuple(nb::list(), show(write_record(record)));
}

}  // namespace

nb::tuple show_fault(const Fault& fault) {
    nb::dict details;
    for (const auto& [name, value] : fault.details) details[nb::cast(name)] = show(value);
    return nb::make_tuple(fault.kind, fault.field, details);
}

nb::object show_outcome(const std::optional<Outcome>& outcome) {
    if (!outcome) return nb::none();
    return nb::make_tuple(int(outcome->winner), ReasonNames[std::size_t(outcome->reason)]);
}

std::optional<Outcome> read_outcome(const OutcomeCode& code) {
    if (!code) return std::nullopt;
    const auto reason = read_reason(std::get<1>(*code));
    if (!reason) throw nb::value_error("unknown reason for the end of a game");
    return Outcome{Winner(std::get<0>(*code)), *reason};
}

void define_texts(nb::module_& module) {
    module.def("position_faults", &position_faults_of, "text"_a, "whole"_a);
    module.def("read_record", &read_record_text, "text"_a, "strictly_utf8"_a);
    module.def("write_record", &write_record_text, "moments"_a, "declared"_a.none(), "headers"_a, "notes"_a);
}

}  // namespace cairn
