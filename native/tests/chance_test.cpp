// Deals and draws from a key. tests/server/test_chance.py compares them with the Python implementation.
#include "chance.h"

#include <algorithm>
#include <string>

#include "check.h"
#include "samples.h"
#include "sha256.h"
#include "text.h"

namespace cairn {

using namespace testing;

namespace {

std::string hex(const Digest& digest) {
    std::string text;
    for (std::uint8_t byte : digest) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

}  // namespace

// The examples from FIPS 180-4.
TEST(sha256_of_known_messages) {
    CHECK_EQUAL(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_EQUAL(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_EQUAL(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// Test cases 2 and 6 from RFC 4231. The key in case 6 is longer than a block.
TEST(hmac_of_known_messages) {
    CHECK_EQUAL(hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK_EQUAL(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(a_key_gives_the_same_deal_as_on_the_server) {
    const std::string key(32, '\0');
    CHECK_EQUAL(write_position(deal(key, Variant::Beginner, std::nullopt)),
                "S1S1S/5/5/5/F1F1F b3CG,d3CD CSMD (ADDRPSSA) bofe 0-0 F");
    CHECK_EQUAL(write_position(deal(key, Variant::Beginner, Sea)),
                "S1S1S/5/5/5/F1F1F b3CG,d3CD CSMD (ADDRPSSA) bofe 0-0 S");
}

TEST(random_numbers_are_below_their_bound) {
    for (std::uint32_t bound : {1u, 2u, 3u, 7u, 8u, 13u}) {
        KeyedRandom random("key", "test");
        std::vector<int> counts(bound);
        for (int time = 0; time < 400; ++time) ++counts.at(random.below(bound));
        CHECK(std::all_of(counts.begin(), counts.end(), [](int count) { return count > 0; }));
    }
}

}  // namespace cairn
