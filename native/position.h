// One moment of a game: the position, and how far the turn has progressed.
#pragma once

#include <array>
#include <cstdint>

#include "megaliths.h"
#include "token.h"
#include "types.h"
#include "zobrist.h"

namespace cairn {

class Position;

// The state that `undo` restores: the previous moment. Copying its hundred or so bytes takes a few loads and stores.
using Undo = Position;

// A moment is a value: it can be copied, compared and hashed. It contains no earlier turns and allocates no memory. A
// default-constructed moment is an empty table, which must be filled before play.
class Position {
  public:
    // --- The table: the seven fields of the notation.
    std::array<Spaces, 2> shamans{};  // by tribe
    Spaces megaliths = 0;             // spaces with a megalith; see tile_at for the tile
    std::array<Tile, 32> tile_at{};   // by space; NoTile if there is none
    std::array<Tile, 2> upcoming{NoTile, NoTile};
    Tiles unknown_deck = 0;                    // tiles in unknown order, above those in known order
    std::array<Tile, TileLimit> known_deck{};  // top first
    std::uint8_t known_count = 0;
    std::uint8_t faces = 0;                // a set of Face
    std::array<std::uint8_t, 2> scores{};  // by tribe
    Tribe active = Forest;

    // --- The turn so far.
    Phase phase = Phase::Action;
    Decider decider = Decider::Forest;
    Winner winner = Winner::Nobody;
    Tribe next = Sea;          // the tribe with the next turn (T5)
    Space focus = Nowhere;     // Build: the space to build on; Power: the space of the activated megalith
    Tile power = NoTile;       // Power: the activated megalith
    bool may_stop = false;     // Power: the tribe has already activated this megalith once in this chain (P6)
    std::uint8_t slot = 0;     // Draw: the upcoming slot to fill
    bool transformed = false;  // Build, Draw: the transformation is done, so the turn ends afterwards
    std::array<std::uint8_t, 2> villages{ShamansPerTribe, ShamansPerTribe};  // by tribe
    Spaces moved = 0;                        // spaces of the shamans moved or added this turn (X2)
    std::array<Tiles, 2> activated{};        // by tribe: megaliths activated in this chain (P6)
    std::array<Tiles, 2> activated_twice{};  // the same for second activations

    Key key = 0;  // identifies the table; every change updates it

    Position() { tile_at.fill(NoTile); }

    // --- Queries.
    Spaces occupied() const { return shamans[Forest] | shamans[Sea]; }
    Spaces unoccupied() const { return Field & ~occupied(); }
    bool deck_is_empty() const { return unknown_deck == 0 && known_count == 0; }
    bool has_upcoming() const { return upcoming[0] != NoTile || upcoming[1] != NoTile; }
    bool is_over() const { return phase == Phase::Over; }

    void legal_tokens(TokenList& tokens) const;  // in no particular order
    int count_legal() const;
    // The legal token chosen by a number drawn uniformly from [0, 2^32). Precondition: the game is not over.
    Token pick_legal(std::uint32_t random) const;

    // Identifies the moment: the table and everything in the turn that affects the future.
    Key moment_key() const;
    bool operator==(const Position& other) const;

    // Whether the state is consistent. Debug builds assert this after every change.
    bool is_ok() const;
    Key fresh_key() const;

    // --- Playing. Precondition: the token came from legal_tokens at this moment.
    void play(Token token);
    void play(Token token, Undo& undo) {
        undo = *this;
        play(token);
    }
    void undo(const Undo& undo) {
        *this = undo;
        assert(is_ok());
    }

    // Starts the turn of `active` with phase Action, or ends the game if no action is possible (T1).
    void begin_turn();
    // Starts a turn of `tribe` with the shamans on these spaces and these faces. The rest of the table stays.
    void begin_turn(Tribe tribe, const std::array<Spaces, 2>& shamans_by_tribe, int face_set);

    // --- Changes to the table that also update the key, for the set-up and the powers.
    void lift_shaman(Tribe tribe, Space space);   // to its village
    void place_shaman(Tribe tribe, Space space);  // from its village
    void place_megalith(Tile tile, Space space);
    Tile lift_megalith(Space space);
    void set_upcoming(int slot_number, Tile tile);
    void put_under_deck(Tile tile);
    void take_from_deck(Tile tile);
    void flip(int face_set);

    // --- The enemies that can be transformed now (X1, X2).
    Spaces transformable() const;

  private:
    friend struct Powers;

    // T2-T6, in the order of a turn. Each step leads to the next or stops at a decision.
    void act(Token token);
    void arrive(Tribe owner, Space space);
    void activate(Tribe owner, Space space);
    void construct(Tribe player, Space space);
    void build(Tile tile);
    void score(Tribe player);
    void fill_slot(int slot_number);
    void draw(Tile tile);
    void continue_turn();
    void offer_transformation();
    void transform(Space space);
    void end_turn();
    void finish(Tribe winning_tribe);

    void travel(Tribe tribe, Space origin, Space target);
    Key known_deck_key() const;
    bool has_action() const;
    int slot_of(Tile tile) const { return upcoming[0] == tile ? 0 : 1; }
};

// The 17 powers.
struct Powers {
    // Whether a tile's power, applied by `owner` from `stone`, would have any effect (P1).
    static bool can_apply(const Position& position, Tile tile, Tribe owner, Space stone);
    // Adds the choices for a tile's power.
    static void choices(const Position& position, Tile tile, Tribe owner, Space stone, TokenList& tokens);
    // The number of these choices, without listing them.
    static int count(const Position& position, Tile tile, Tribe owner, Space stone);
    // One of these choices, or Stop if `may_stop`, chosen by a number drawn uniformly from [0, 2^32).
    static Token pick(const Position& position, Tile tile, Tribe owner, Space stone, bool may_stop,
                      std::uint32_t random);
    // Applies the power with one of these choices, and continues the turn.
    static void apply(Position& position, Tile tile, Tribe owner, Space stone, Token choice);
};

}  // namespace cairn
