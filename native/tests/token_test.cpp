// Tokens: their bits, their text and their sort order.
#include "token.h"

#include <algorithm>
#include <map>
#include <set>

#include "check.h"
#include "samples.h"
#include "text.h"

namespace cairn {

using namespace testing;

TEST(every_token_round_trips_through_its_text) {
    for (Token token : every_token()) {
        const std::string text = write_token(token);
        const auto read = read_token(text);
        CHECK_IN(text, read && *read == token && read->code() == token.code());
    }
}

TEST(different_tokens_have_different_texts_and_codes) {
    std::set<std::string> texts;
    std::set<std::uint32_t> codes;
    const std::vector<Token> tokens = every_token();
    for (Token token : tokens) {
        texts.insert(write_token(token));
        codes.insert(token.code());
        CHECK_IN(write_token(token), token.code() < Token::CodeLimit);
    }
    CHECK_EQUAL(tokens.size(), 42'882u);
    CHECK_EQUAL(texts.size(), tokens.size());
    CHECK_EQUAL(codes.size(), tokens.size());
}

TEST(flips_are_not_part_of_a_tokens_identity) {
    const Token plain(Kind::Travel, 0, 1), flipping(Kind::Travel, 0, 1, MoveDiagonal);
    CHECK(plain == flipping);
    CHECK_EQUAL(flipping.flips(), int(MoveDiagonal));
    CHECK_EQUAL(write_token(plain), write_token(flipping));
    CHECK(flipping.as_copy_of(DR).without_copy() == plain);
    CHECK(flipping.as_copy_of(DR) != plain);
}

TEST(malformed_tokens_are_rejected) {
    for (const char* text :
         {"",       "a",      "a1",        "a1-",    "a1-a",    "a1-a6", "f1-a1", "a1-out ",        " a1-a2",  "a1--a2",
          "+",      "+f1",    "+a1a",      "=",      "=XX",     "=dr",   "?",     "?DRX",           "x",       "xa",
          "xa9",    "a1~",    "a1~out",    "a1/",    "a1/out",  "flip",  "flip-", "flip-transform", "use",     "Stop",
          "stop ",  "T",      "Ta0",       "passes", "a1=",     "a1=XX", "DR:",   "DR:stop",        "DR:pass", "DR:Ta1",
          "DR:=DR", "DR:?DR", "DR:DR:use", "XX:use", "DR:use ", ":use",  "PSuse", "a1:a2",          "a1+a2",   "\n",
          "a1-a2\n"})
        CHECK_IN(text, !read_token(text));
    CHECK(!read_token(std::string_view("xa1\0", 4)));
    CHECK(!read_token(std::string_view("\0", 1)));
    CHECK(!read_token("\xc3\xa9"));
}

namespace {

// Whether `sort_by_text` sorts these tokens by their texts.
bool sorts_by_text(TokenList list) {
    std::vector<std::string> expected, found;
    for (Token token : list) expected.push_back(write_token(token));
    std::sort(expected.begin(), expected.end());
    sort_by_text(list);
    for (Token token : list) found.push_back(write_token(token));
    return found == expected;
}

}  // namespace

TEST(legal_tokens_are_sorted_by_their_texts) {
    Random random(1);
    for_each_moment(assorted_positions(1, 200), random, 60, [](const Position& position) {
        TokenList list;
        position.legal_tokens(list);
        CHECK_IN(write_position(position), sorts_by_text(list));
    });
}

TEST(tokens_of_one_kind_are_sorted_by_their_texts) {
    // A moment offers tokens of one kind or, through the Shifting Stone, of one kind for each of two tiles.
    std::map<std::pair<Kind, bool>, std::vector<Token>> by_kind;
    for (Token token : every_token()) by_kind[{token.kind(), token.is_copy()}].push_back(token);
    Random random(1);
    for (auto& [kind, tokens] : by_kind)
        for (int round = 0; round < 100; ++round) {
            TokenList list;
            for (std::size_t size = 0; size < tokens.size() && list.size() < TokenList::Capacity; ++size) {
                std::swap(tokens[size], tokens[size + std::size_t(below(random, int(tokens.size() - size)))]);
                list.add(tokens[size]);
            }
            CHECK(sorts_by_text(list));
        }
}

}  // namespace cairn
