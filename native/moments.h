// A line of play: the current moment (the state of a game at one decision), and the moments and tokens that led to it.
#pragma once

#include <algorithm>
#include <vector>

#include "position.h"

namespace cairn {

class Moments {
  public:
    explicit Moments(const Position& start) : now_(start) {}

    const Position& now() const { return now_; }
    const std::vector<Token>& tokens() const { return tokens_; }

    // The first moment, and the moment before a given token.
    const Position& start() const { return earlier_.empty() ? now_ : earlier_.front(); }
    const Position& before(std::size_t index) const { return earlier_[index]; }
    // The moment before the last token. Precondition: a token has been played.
    const Position& before() const { return earlier_.back(); }

    void push(Token legal) {
        if (earlier_.empty()) {  // most games have 50 to 200 tokens
            earlier_.reserve(64);
            tokens_.reserve(64);
        }
        earlier_.push_back(now_);
        tokens_.push_back(legal);
        now_.play(legal);
    }

    Token pop() {
        const Token last = tokens_.back();
        now_.undo(earlier_.back());
        earlier_.pop_back();
        tokens_.pop_back();
        return last;
    }

    // The number of tokens before the current turn, or before the turn that ended the game.
    std::size_t turn_start_index() const {
        std::size_t index = tokens_.size();
        if (now_.phase == Phase::Action) return index;
        while (index > 0 && earlier_[--index].phase != Phase::Action) {
        }
        return index;
    }

    const Position& turn_start() const {
        const std::size_t index = turn_start_index();
        return index < earlier_.size() ? earlier_[index] : now_;
    }

    // The keys of the positions at the start of every turn so far, including the current turn (G3).
    std::vector<Key> turn_start_keys() const {
        std::vector<Key> keys;
        for (const Position& position : earlier_)
            if (position.phase == Phase::Action) keys.push_back(position.key);
        if (now_.phase == Phase::Action) keys.push_back(now_.key);
        return keys;
    }

    // G3: whether the position at the start of this turn has occurred for the third time.
    bool is_repetition() const {
        return now_.phase == Phase::Action && std::count(earlier_.begin(), earlier_.end(), now_) >= 2;
    }

    void forget_history() {
        const std::size_t start = turn_start_index();
        earlier_.erase(earlier_.begin(), earlier_.begin() + std::ptrdiff_t(start));
        tokens_.erase(tokens_.begin(), tokens_.begin() + std::ptrdiff_t(start));
    }

  private:
    Position now_;
    std::vector<Position> earlier_;  // the moment before each token
    std::vector<Token> tokens_;
};

}  // namespace cairn
