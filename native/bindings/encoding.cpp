#include "encoding.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <vector>

#include "../encoding.h"
#include "../moments.h"
#include "tokens.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace cairn {

namespace {

nb::list show_groups(std::span<const EncodingGroup> groups) {
    nb::list shown;
    for (const EncodingGroup& group : groups) shown.append(nb::make_tuple(group.name, group.first, group.count));
    return shown;
}

std::vector<int> sorted_ids(const Moments& moments) {
    const LegalIds legal(moments.now());
    std::vector<int> ids(legal.begin(), legal.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

bool is_legal(const Position& position, int id) {
    const LegalIds legal(position);
    return std::find(legal.begin(), legal.end(), id) != legal.end();
}

// The number of a legal token, or None.
nb::object id_of(const Moments& moments, nb::handle object) {
    TokenList legal;
    moments.now().legal_tokens(legal);
    const Token* found = TokenObjects::find(object, legal.begin(), legal.end());
    if (found == legal.end()) return nb::none();
    return nb::int_(encode(moments.now(), *found));
}

// The legal token with a number, or None.
nb::object token_of(const Moments& moments, int id) {
    if (!is_legal(moments.now(), id)) return nb::none();
    return TokenObjects::of(*decode(moments.now(), id));
}

bool push_id(Moments& moments, int id) {
    if (!is_legal(moments.now(), id)) return false;
    moments.push(*decode(moments.now(), id));
    return true;
}

nb::bytearray legal_mask(const Moments& moments) {
    std::array<std::uint8_t, token_id::Count> mask{};
    for (std::uint16_t id : LegalIds(moments.now())) mask[id] = 1;
    return nb::bytearray(mask.data(), mask.size());
}

// How many earlier turns began with the same position as this one (G3).
int repeats(const Moments& moments) {
    const Position& turn_start = moments.turn_start();
    const std::size_t now = moments.turn_start_index();
    int count = 0;
    for (std::size_t index = 0; index < now; ++index) count += moments.before(index) == turn_start;
    return count;
}

nb::bytearray show_observation(const Moments& moments, int viewer_number) {
    std::array<std::uint8_t, observed::Size> observation;
    observe(moments.now(), Tribe(viewer_number), repeats(moments), observation.data());
    return nb::bytearray(observation.data(), observation.size());
}

}  // namespace

void define_encoding(nb::module_& module) {
    module.attr("ENCODING_VERSION") = EncodingVersion;
    module.attr("ACTION_COUNT") = token_id::Actions;
    module.attr("CHOICE_COUNT") = token_id::Choices;
    module.def("token_groups", [] { return show_groups(token_groups()); });
    module.def("observation_groups", [] { return show_groups(observation_groups()); });
    module.def("legal_ids", &sorted_ids, "moments"_a);
    module.def("legal_mask", &legal_mask, "moments"_a);
    module.def("id_of", &id_of, "moments"_a, "token"_a);
    module.def("token_of", &token_of, "moments"_a, "number"_a);
    module.def("push_id", &push_id, "moments"_a, "number"_a);
    module.def("observe", &show_observation, "moments"_a, "viewer_number"_a);
}

}  // namespace cairn
