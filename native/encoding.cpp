#include "encoding.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace cairn {

namespace {

constexpr int PlaceCount = token_id::Places;

struct Chairs {
    std::array<std::array<std::uint8_t, 32>, 2> place{};       // by tribe and space
    std::array<std::array<Space, Rows * Columns>, 2> space{};  // by tribe and place
};

constexpr Chairs AllChairs = [] {
    Chairs chairs;
    for (int row = 0; row < Rows; ++row)
        for (int column = 0; column < Columns; ++column) {
            const Space space = make_space(column, row);
            const int place = Columns * row + column;
            for (Tribe tribe : {Forest, Sea}) {
                const int seen = tribe == Forest ? place : PlaceCount - 1 - place;
                chairs.place[tribe][space] = std::uint8_t(seen);
                chairs.space[tribe][std::size_t(seen)] = space;
            }
        }
    return chairs;
}();

int place_of(Tribe chair, Space space) { return AllChairs.place[chair][space]; }
Space space_at(Tribe chair, int place) { return AllChairs.space[chair][std::size_t(place)]; }

// The directions of a push, clockwise from straight ahead, as differences between places.
constexpr std::array<int, token_id::Directions> Steps{5, 6, 1, -4, -5, -6, -1, 4};
constexpr int LongestStep = 6;
constexpr std::array<std::uint8_t, 2 * LongestStep + 1> DirectionOf = [] {
    std::array<std::uint8_t, 2 * LongestStep + 1> directions{};
    for (std::size_t direction = 0; direction < Steps.size(); ++direction)
        directions[std::size_t(Steps[direction] + LongestStep)] = std::uint8_t(direction);
    return directions;
}();

int slot_of(const Position& position, Tile tile) { return position.upcoming[0] == tile ? 0 : 1; }

// The chair from which the tokens of a moment are numbered. The numbers of draws have no places.
Tribe chair_of(const Position& position) { return position.decider == Decider::Sea ? Sea : Forest; }

int travel_id(Tribe chair, Token token) {
    if (token.origin() == Nowhere) return token_id::Add + place_of(chair, token.target());
    const int origin = place_of(chair, token.origin());
    const int target = token.target() == Nowhere ? origin : place_of(chair, token.target());
    return token_id::Travel + PlaceCount * origin + target;
}

// The number of a choice, whether or not it is made through the Shifting Stone.
int choice_id(const Position& position, Tribe chair, Token token) {
    switch (token.kind()) {
        case Kind::Travel: return travel_id(chair, token);
        case Kind::Banish: return token_id::Banish + place_of(chair, token.space());
        case Kind::Push: {
            const int origin = place_of(chair, token.origin()), target = place_of(chair, token.target());
            const int direction = DirectionOf[std::size_t(target - origin + LongestStep)];
            return token_id::Push + token_id::Directions * origin + direction;
        }
        case Kind::Swap: {
            // The order of the two says nothing that the position does not say.
            const auto [low, high] = std::minmax({place_of(chair, token.origin()), place_of(chair, token.target())});
            return token_id::Swap + high * (high - 1) / 2 + low;
        }
        case Kind::Flip: return token_id::Flip + token.space();
        case Kind::Put:
            return token_id::Put + PlaceCount * slot_of(position, token.put_tile()) + place_of(chair, token.space());
        default: return 0;  // not a choice of an action or a power
    }
}

// The action tile that an action flips (A1-A3). A step and a jump never lead to the same token.
int flips_of(Tribe me, Space origin, Space target) {
    if (origin == Nowhere) return AddBlack;
    if (target == Nowhere) return (LastRow[me] & bit(origin)) != 0 ? MoveDiagonal : JumpEnemy;
    return (adjacent(bit(origin)) & bit(target)) != 0 ? MoveDiagonal : JumpEnemy;
}

std::optional<Token> travel_of(const Position& position, Tribe chair, Space origin, Space target) {
    const int flips = position.phase == Phase::Action ? flips_of(chair, origin, target) : 0;
    return Token(Kind::Travel, origin, target, flips);
}

std::optional<Token> push_of(Tribe chair, int number) {
    const int origin = number / token_id::Directions, step = Steps[std::size_t(number % token_id::Directions)];
    const int target = origin + step;
    // A step to the side must not lead to another row.
    const int columns = target % Columns - origin % Columns;
    if (target < 0 || target >= PlaceCount || columns < -1 || columns > 1) return std::nullopt;
    return Token(Kind::Push, space_at(chair, origin), space_at(chair, target));
}

Token swap_of(const Position& position, Tribe chair, Tile power, int number) {
    int high = 1;
    while (high * (high + 1) / 2 <= number) ++high;
    const int low = number - high * (high - 1) / 2;
    auto [first, second] = std::minmax({space_at(chair, low), space_at(chair, high)});  // megaliths: in field 2's order
    if (power == WC && (position.shamans[chair] & bit(first)) == 0) std::swap(first, second);  // the chooser's first
    return Token(Kind::Swap, first, second);
}

std::optional<Token> choice_of(const Position& position, Tribe chair, Tile power, int number) {
    if (number < token_id::Travel) return travel_of(position, chair, Nowhere, space_at(chair, number - token_id::Add));
    if (number < token_id::Banish) {
        const int origin = (number - token_id::Travel) / PlaceCount, target = (number - token_id::Travel) % PlaceCount;
        return travel_of(position, chair, space_at(chair, origin),
                         origin == target ? Nowhere : space_at(chair, target));
    }
    if (number < token_id::Push) return Token(Kind::Banish, space_at(chair, number - token_id::Banish));
    if (number < token_id::Swap) return push_of(chair, number - token_id::Push);
    if (number < token_id::Flip) return swap_of(position, chair, power, number - token_id::Swap);
    if (number < token_id::Put) return Token(Kind::Flip, number - token_id::Flip);
    const Tile tile = position.upcoming[std::size_t((number - token_id::Put) / PlaceCount)];
    if (tile == NoTile) return std::nullopt;
    return Token(Kind::Put, space_at(chair, (number - token_id::Put) % PlaceCount), tile);
}

}  // namespace

int encode(const Position& position, Token token) {
    const Tribe chair = chair_of(position);
    switch (token.kind()) {
        case Kind::Stop: return token_id::Stop;
        case Kind::Build: return token_id::Build + slot_of(position, token.tile());
        case Kind::Draw: return token_id::Draw + token.tile();
        case Kind::Transform: return token_id::Transform + place_of(chair, token.space());
        case Kind::Pass: return token_id::Pass;
        case Kind::Use: return token_id::Use + slot_of(position, token.copied());
        default: break;
    }
    const int choice = choice_id(position, chair, token.without_copy());
    if (!token.is_copy()) return choice;
    return token_id::Copy + token_id::Choices * slot_of(position, token.copied()) + choice;
}

std::optional<Token> decode(const Position& position, int id) {
    if (id < 0 || id >= token_id::Count) return std::nullopt;
    const Tribe chair = chair_of(position);
    const auto upcoming = [&](int slot) { return position.upcoming[std::size_t(slot)]; };
    if (id < token_id::Copy) return choice_of(position, chair, position.power, id);
    if (id < token_id::Use) {
        const int slot = (id - token_id::Copy) / token_id::Choices;
        const Tile copied = upcoming(slot);
        if (copied == NoTile) return std::nullopt;
        const auto choice = choice_of(position, chair, copied, (id - token_id::Copy) % token_id::Choices);
        return choice ? std::optional(choice->as_copy_of(copied)) : std::nullopt;
    }
    if (id < token_id::Stop) {
        const Tile copied = upcoming(id - token_id::Use);
        return copied == NoTile ? std::nullopt : std::optional(Token(Kind::Use).as_copy_of(copied));
    }
    if (id == token_id::Stop) return Token(Kind::Stop);
    if (id < token_id::Transform) {
        const Tile built = upcoming(id - token_id::Build);
        return built == NoTile ? std::nullopt : std::optional(Token(Kind::Build, built));
    }
    if (id < token_id::Pass) return Token(Kind::Transform, space_at(chair, id - token_id::Transform));
    if (id == token_id::Pass) return Token(Kind::Pass);
    return Token(Kind::Draw, id - token_id::Draw);
}

void LegalIds::list(const Position& position) {
    TokenList tokens;
    position.legal_tokens(tokens);
    size_ = tokens.size();
    if (position.phase == Phase::Action) {  // nearly always
        const Tribe chair = chair_of(position);
        for (int index = 0; index < size_; ++index)
            ids_[std::size_t(index)] = std::uint16_t(travel_id(chair, tokens[index]));
    } else {
        for (int index = 0; index < size_; ++index)
            ids_[std::size_t(index)] = std::uint16_t(encode(position, tokens[index]));
    }
}

namespace {

void write_spaces(Spaces spaces, Tribe viewer, std::uint8_t* group) {
    for_each(spaces, [&](Space space) { group[place_of(viewer, space)] = 1; });
}

// Eight bits as eight bytes with the values 0 and 1.
constexpr std::uint64_t spread(std::uint32_t bits) {
    const std::uint64_t one_each = std::uint64_t{bits & 0xff} * 0x0101010101010101 & 0x8040201008040201;
    return (one_each + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
}

// Decks have many tiles, so this writes eight at a time.
void write_tiles(Tiles tiles, std::uint8_t* group) {
    int tile = 0;
    if constexpr (std::endian::native == std::endian::little)
        for (; tile + 8 <= TileLimit; tile += 8) {
            const std::uint64_t bytes = spread(tiles >> tile);
            std::memcpy(group + tile, &bytes, sizeof bytes);
        }
    for (; tile < TileLimit; ++tile) group[tile] = std::uint8_t(tiles >> tile & 1);
}

// The state of the turn, as far as it can still affect the game.
void write_turn(const Position& position, Tribe viewer, std::uint8_t* out) {
    const bool power = position.phase == Phase::Power, build = position.phase == Phase::Build,
               draw = position.phase == Phase::Draw;
    const bool transformed = (build || draw) && position.transformed;
    out[observed::Next] = position.next == viewer;
    out[observed::Transformed] = transformed;
    if (!transformed) write_spaces(position.moved, viewer, out + observed::Moved);
    if (power || build) out[observed::Focus + place_of(viewer, position.focus)] = 1;
    if (!power) return;
    out[observed::Power + position.power] = 1;
    out[observed::MayStop] = position.may_stop;
    write_tiles(position.activated[viewer], out + observed::OwnActivated);
    write_tiles(position.activated[enemy_of(viewer)], out + observed::EnemyActivated);
    write_tiles(position.activated_twice[viewer], out + observed::OwnTwice);
    write_tiles(position.activated_twice[enemy_of(viewer)], out + observed::EnemyTwice);
}

// The inputs of the network for single things, as `inputs_of` lists them. There are none for a score of 3, because the
// network only sees games in progress.
void write_inputs(const Position& position, Tribe viewer, std::uint8_t* group) {
    const Tribe enemy = enemy_of(viewer);
    write_spaces(position.shamans[viewer], viewer, group + input::OwnShaman);
    write_spaces(position.shamans[enemy], viewer, group + input::EnemyShaman);
    for_each(position.megaliths, [&](Space space) {
        group[input::Megalith + input::Place * position.tile_at[space] + place_of(viewer, space)] = 1;
    });
    for (Tile tile : position.upcoming)
        if (tile != NoTile) group[input::Upcoming + tile] = 1;
    if (position.scores[viewer] < PointsToWin) group[input::OwnScore + position.scores[viewer]] = 1;
    if (position.scores[enemy] < PointsToWin) group[input::EnemyScore + position.scores[enemy]] = 1;
    group[input::OwnVillage + position.villages[viewer]] = 1;
    group[input::EnemyVillage + position.villages[enemy]] = 1;
}

}  // namespace

void observe(const Position& position, Tribe viewer, int repeats, std::uint8_t* observation) {
    std::fill_n(observation, observed::Size, std::uint8_t{0});
    write_inputs(position, viewer, observation + observed::Inputs);
    for (int slot : {0, 1}) {
        const Tile tile = position.upcoming[std::size_t(slot)];
        if (tile != NoTile) observation[observed::Slots + TileLimit * slot + tile] = 1;
    }
    write_tiles(position.unknown_deck, observation + observed::UnknownDeck);
    for (std::size_t index = 0; index < position.known_count; ++index)
        observation[observed::KnownDeck + position.known_deck[index]] = std::uint8_t(index + 1);
    for (int face = 0; face < 4; ++face) observation[observed::Faces + face] = std::uint8_t(position.faces >> face & 1);
    observation[observed::Phases + int(position.phase)] = 1;
    observation[observed::Decides] = position.decider == Decider(viewer);
    observation[observed::Decides + 1] = position.decider == Decider(enemy_of(viewer));
    observation[observed::Active] = position.active == viewer;
    observation[observed::Repeats] = std::uint8_t(std::min(repeats, 2));
    if (position.phase != Phase::Action && position.phase != Phase::Over) write_turn(position, viewer, observation);
}

namespace {

// A group reaches to the first number of the next one.
template <std::size_t Size>
constexpr std::array<EncodingGroup, Size> counted(std::array<EncodingGroup, Size> groups, int end) {
    for (std::size_t index = 0; index < Size; ++index)
        groups[index].count = (index + 1 < Size ? groups[index + 1].first : end) - groups[index].first;
    return groups;
}

constexpr auto TokenGroups = counted(
    std::array{
        EncodingGroup{"add", token_id::Add, 0},
        EncodingGroup{"travel", token_id::Travel, 0},
        EncodingGroup{"banish", token_id::Banish, 0},
        EncodingGroup{"push", token_id::Push, 0},
        EncodingGroup{"swap", token_id::Swap, 0},
        EncodingGroup{"flip", token_id::Flip, 0},
        EncodingGroup{"put", token_id::Put, 0},
        EncodingGroup{"copy", token_id::Copy, 0},
        EncodingGroup{"use", token_id::Use, 0},
        EncodingGroup{"stop", token_id::Stop, 0},
        EncodingGroup{"build", token_id::Build, 0},
        EncodingGroup{"transform", token_id::Transform, 0},
        EncodingGroup{"pass", token_id::Pass, 0},
        EncodingGroup{"draw", token_id::Draw, 0},
    },
    token_id::Count);

constexpr auto ObservationGroups = counted(
    std::array{
        EncodingGroup{"own shamans", input::OwnShaman, 0},
        EncodingGroup{"enemy shamans", input::EnemyShaman, 0},
        EncodingGroup{"megaliths", input::Megalith, 0},
        EncodingGroup{"upcoming", input::Upcoming, 0},
        EncodingGroup{"own score", input::OwnScore, 0},
        EncodingGroup{"enemy score", input::EnemyScore, 0},
        EncodingGroup{"own village", input::OwnVillage, 0},
        EncodingGroup{"enemy village", input::EnemyVillage, 0},
        EncodingGroup{"focus", observed::Focus, 0},
        EncodingGroup{"moved", observed::Moved, 0},
        EncodingGroup{"slots", observed::Slots, 0},
        EncodingGroup{"unknown deck", observed::UnknownDeck, 0},
        EncodingGroup{"known deck", observed::KnownDeck, 0},
        EncodingGroup{"faces", observed::Faces, 0},
        EncodingGroup{"phase", observed::Phases, 0},
        EncodingGroup{"decider", observed::Decides, 0},
        EncodingGroup{"active", observed::Active, 0},
        EncodingGroup{"next", observed::Next, 0},
        EncodingGroup{"power", observed::Power, 0},
        EncodingGroup{"may stop", observed::MayStop, 0},
        EncodingGroup{"transformed", observed::Transformed, 0},
        EncodingGroup{"own activated", observed::OwnActivated, 0},
        EncodingGroup{"enemy activated", observed::EnemyActivated, 0},
        EncodingGroup{"own activated twice", observed::OwnTwice, 0},
        EncodingGroup{"enemy activated twice", observed::EnemyTwice, 0},
        EncodingGroup{"repeats", observed::Repeats, 0},
    },
    observed::Size);

}  // namespace

std::span<const EncodingGroup> token_groups() { return TokenGroups; }
std::span<const EncodingGroup> observation_groups() { return ObservationGroups; }

}  // namespace cairn
