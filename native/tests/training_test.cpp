// Self-play, its files, and the samples made from them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "check.h"
#include "samples.h"
#include "training/facts.h"
#include "training/samples.h"
#include "training/selfplay_file.h"

namespace cairn::training {

using namespace cairn::testing;

namespace {

const std::atomic<bool> keep_playing{false};

// A file that is removed at the end of a test.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& name)
        : path_((std::filesystem::temp_directory_path() / ("cairn-test-" + name)).string()) {
        std::filesystem::remove(path_);
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }
    Bytes bytes() const {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    std::uint64_t extend(const FileHeader& header, std::uint64_t games,
                         const std::atomic<bool>& stop = keep_playing) const {
        return extend_file(path_, header, nullptr, games, stop, [](std::uint64_t) {});
    }

  private:
    std::string path_;
};

Token generated_token(const Position& position, Token token) {
    TokenList legal;
    position.legal_tokens(legal);
    const Token* found = std::find(legal.begin(), legal.end(), token);
    CHECK(found != legal.end());
    return *found;
}

constexpr FileHeader Header{.seed = 5, .nodes = 50, .shard = 2};

}  // namespace

TEST(self_play_is_reproducible_and_resumable) {
    const TemporaryFile whole("whole"), resumed("resumed"), other("other");
    CHECK_EQUAL(whole.extend(Header, 6), 6u);
    CHECK_EQUAL(resumed.extend(Header, 2), 2u);
    // Cut the file off in the middle of its second game.
    std::filesystem::resize_file(resumed.path(), std::filesystem::file_size(resumed.path()) - 1);
    CHECK_EQUAL(resumed.extend(Header, 6), 6u);
    CHECK(whole.bytes() == resumed.bytes());
    CHECK_EQUAL(whole.extend(Header, 3), 6u);  // a file never becomes shorter

    FileHeader shard = Header;
    shard.shard = 3;
    other.extend(shard, 6);
    const auto without_header = [](const TemporaryFile& file) {
        const Bytes bytes = file.bytes();
        return Bytes(bytes.begin() + FileHeader::Size, bytes.end());
    };
    CHECK(without_header(whole) != without_header(other));
    bool refused = false;
    try {
        whole.extend(shard, 6);
    } catch (const std::runtime_error&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(a_stopped_run_writes_whole_games) {
    const TemporaryFile file("stopped");
    std::atomic<bool> stop{false};
    const auto stop_after_two = [&](std::uint64_t games) { stop = games == 2; };
    CHECK_EQUAL(extend_file(file.path(), Header, nullptr, 9, stop, stop_after_two), 2u);
    const Bytes bytes = file.bytes();
    GameReader reader{std::span(bytes).subspan(FileHeader::Size)};
    SelfPlayGame game;
    CHECK(reader.next(game) && reader.next(game) && !reader.next(game));
    CHECK_EQUAL(reader.consumed() + FileHeader::Size, bytes.size());
}

TEST(games_survive_writing_and_reading) {
    Table table(1);
    const auto search = std::make_unique<Search>(table, keep_playing);
    SelfPlaySettings settings;
    settings.nodes = 40;
    Bytes bytes;
    std::vector<SelfPlayGame> games;
    for (std::uint64_t number = 0; number < 20; ++number) {
        Random random = random_for(1, 0, number);
        games.push_back(self_play(settings, *search, random, keep_playing));
        write_game(games.back(), bytes);
    }
    CHECK(bytes.size() / games.size() < 500);
    GameReader reader(bytes);
    std::array<int, 3> variants{};
    for (const SelfPlayGame& game : games) {
        SelfPlayGame read;
        CHECK(reader.next(read));
        CHECK(read.start() == game.start() && read.winner == game.winner && read.tokens.size() == game.tokens.size());
        for (std::size_t index = 0; index < game.tokens.size(); ++index)
            CHECK(read.tokens[index].token == game.tokens[index].token &&
                  read.tokens[index].score == game.tokens[index].score);
        ++variants[std::size_t(game.variant)];
    }
    for (int count : variants) CHECK(count > 0);
}

TEST(samples_describe_the_turns_of_a_game) {
    const TemporaryFile file("samples");
    file.extend(Header, 20);
    int samples = 0, won = 0, lost = 0;
    for_each_turn(file.bytes(), [&](const Position& position, std::int16_t score, int result) {
        CHECK(position.phase == Phase::Action && !is_proof(score));
        const Sample sample = sample_of(position, score, result);
        const Inputs inputs = inputs_of(position, position.active);
        CHECK(std::equal(inputs.begin(), inputs.end(), sample.inputs.begin()));
        CHECK(std::all_of(sample.inputs.begin() + inputs.size(), sample.inputs.end(),
                          [](std::uint16_t index) { return index == input::Count; }));
        CHECK_EQUAL(sample.faces, position.faces);
        CHECK_EQUAL(sample.score, score);
        ++samples;
        won += sample.result == 1;
        lost += sample.result == -1;
    });
    CHECK(samples > 200);
    CHECK(won > samples / 4 && lost > samples / 4);
}

TEST(damaged_files_of_games_are_rejected) {
    const TemporaryFile file("damaged");
    file.extend(Header, 3);
    const auto is_readable = [](const Bytes& bytes) {
        try {
            for_each_turn(bytes, [](const Position&, std::int16_t, int) {});
        } catch (const std::runtime_error&) {
            return false;
        }
        return true;
    };
    const Bytes bytes = file.bytes();
    CHECK(is_readable(bytes));
    CHECK(!is_readable(Bytes(bytes.begin(), bytes.end() - 1)));
    CHECK(!is_readable(Bytes(bytes.begin() + 1, bytes.end())));
    // Changing any byte of a game must not crash the reader.
    int rejected = 0;
    for (std::size_t at = FileHeader::Size; at < bytes.size(); ++at) {
        Bytes changed = bytes;
        changed[at] ^= 0x55;
        rejected += !is_readable(changed);
    }
    CHECK(rejected > int(bytes.size()) / 2);
}

TEST(even_games_have_no_random_tokens_and_differ_only_in_nodes) {
    const TemporaryFile file("even"), varied("varied");
    FileHeader header = Header;
    header.style = Style::Even;
    file.extend(header, 4);
    varied.extend(Header, 4);
    const Bytes bytes = file.bytes();
    CHECK(read_header(bytes) == header);
    CHECK(read_header(varied.bytes()) == Header);
    GameReader reader{std::span(bytes).subspan(FileHeader::Size)};
    SelfPlayGame game;
    while (reader.next(game)) {
        Position position = game.start();
        for (const PlayedToken& played : game.tokens) {
            // A search chose every action, so it has a score.
            CHECK_EQUAL(played.score.has_value(), position.phase == Phase::Action);
            position.play(generated_token(position, played.token));
        }
    }
    bool refused = false;
    try {
        file.extend(Header, 4);
    } catch (const std::runtime_error&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(facts_add_up) {
    const TemporaryFile file("facts");
    FileHeader header = Header;
    header.style = Style::Even;
    file.extend(header, 12);
    const Bytes bytes = file.bytes();
    const FileFacts facts = facts_of(bytes, nullptr, 30);
    CHECK_EQUAL(facts.games.size(), 12u);
    GameReader reader{std::span(bytes).subspan(FileHeader::Size)};
    SelfPlayGame game;
    std::size_t draws = 0, lucky = 0;
    for (const GameFacts& found : facts.games) {
        CHECK(reader.next(game));
        Position position = game.start();
        for (const PlayedToken& played : game.tokens) position.play(generated_token(position, played.token));
        for (Tribe tribe : {Forest, Sea}) {
            int points = 0;
            for (int count : found.points[tribe == game.first ? 0 : 1]) points += count;
            CHECK_EQUAL(points, int(position.scores[tribe]));
        }
        CHECK_EQUAL(std::size_t(found.tokens), game.tokens.size());
        CHECK_EQUAL(int(found.first), int(game.first));
        draws += found.draws;
        lucky += found.luck != 0;
    }
    CHECK(draws > 20 && lucky > 6);
    CHECK(facts.builds.size() > 10);
    for (const BuildChoice& choice : facts.builds) CHECK(choice.built != choice.other && choice.game < 12);
    // Without the last byte, the file is damaged.
    bool refused = false;
    try {
        facts_of(std::span(bytes).first(bytes.size() - 1), nullptr, 30);
    } catch (const std::runtime_error&) {
        refused = true;
    }
    CHECK(refused);
}

}  // namespace cairn::training
