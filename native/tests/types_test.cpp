// The geometry of the field (rules B1 to B5), checked by brute force.
#include <cstdlib>

#include "check.h"
#include "text.h"
#include "types.h"

namespace cairn {

namespace {

int distance(Space space, Space other) {
    return std::max(std::abs(column_of(space) - column_of(other)), std::abs(row_of(space) - row_of(other)));
}

}  // namespace

TEST(the_field_has_25_spaces_in_notation_order) {
    CHECK_EQUAL(popcount(Field), 25);
    std::string order;
    for_each(Field, [&](Space space) { order += write_space(space); });
    CHECK_EQUAL(order, "a1b1c1d1e1a2b2c2d2e2a3b3c3d3e3a4b4c4d4e4a5b5c5d5e5");
}

TEST(spaces_have_the_right_column_and_row) {
    for (int row = 0; row < Rows; ++row)
        for (int column = 0; column < Columns; ++column) {
            const Space space = make_space(column, row);
            CHECK_EQUAL(column_of(space), column);
            CHECK_EQUAL(row_of(space), row);
            CHECK((Field & bit(space)) != 0);
        }
    CHECK((Field & bit(Nowhere)) == 0);
}

TEST(space_text_round_trips) {
    for_each(Field, [](Space space) { CHECK_EQUAL(read_space(write_space(space)), space); });
    for (const char* text : {"", "a", "a0", "a6", "f1", "A1", "a11", "1a", "`1", "a1 "})
        CHECK_EQUAL(read_space(text), Nowhere);
}

TEST(adjacent_returns_the_surrounding_spaces) {
    for_each(Field, [](Space space) {
        Spaces expected = 0;
        for_each(Field, [&](Space other) { expected |= distance(space, other) == 1 ? bit(other) : 0; });
        CHECK_EQUAL(adjacent(bit(space)), expected);
    });
    CHECK_EQUAL(adjacent(Field), Field);
    CHECK_EQUAL(adjacent(0), Spaces{0});
}

TEST(a_step_never_wraps_around_an_edge_of_the_field) {
    for_each(Field, [](Space space) {
        for (int axis : Axes) {
            const Spaces reached = ((bit(space) << axis) | (bit(space) >> axis)) & Field;
            for_each(reached, [&](Space other) { CHECK_EQUAL(distance(space, other), 1); });
            const Spaces above = (((bit(space) << axis) & Field) << axis) & Field;
            const Spaces below = (((bit(space) >> axis) & Field) >> axis) & Field;
            for_each(above | below, [&](Space other) { CHECK_EQUAL(distance(space, other), 2); });
        }
    });
}

TEST(the_board_is_symmetric_under_a_half_turn) {
    const auto turned = [](Space space) {
        return make_space(Columns - 1 - column_of(space), Rows - 1 - row_of(space));
    };
    for (std::size_t colour : {0u, 1u}) CHECK_EQUAL(turned(Totem[Forest][colour]), Totem[Sea][colour]);
    CHECK_EQUAL(write_space(Totem[Forest][0]), "d1");
    CHECK_EQUAL(write_space(Totem[Forest][1]), "b1");
    CHECK_EQUAL(FirstRow[Forest], LastRow[Sea]);
    CHECK_EQUAL(FirstRow[Sea], LastRow[Forest]);
    CHECK_EQUAL(FirstRow[Forest], row_bits(0));
    CHECK_EQUAL(RowBeforeLast[Forest], row_bits(3));
}

TEST(popcount_counts_set_bits) {
    for (int count = 0; count <= 64; ++count) {
        const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        CHECK_EQUAL(popcount(bits), count);
    }
    CHECK_EQUAL(popcount(0x8000000000000001), 2);
}

}  // namespace cairn
