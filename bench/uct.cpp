// A textbook UCT player on top of the core: the baseline that a computer player has to beat. See docs/strength.md.
//
// It uses no knowledge of Cairn except the rules: it selects tokens in the tree by UCB1, plays random games from the
// leaves, and chooses the most visited token. It implements the part of the engine protocol that a match needs: `cep`,
// `isready`, `newgame`, `setoption name Seed`, `position <7 fields> [moves ...]`, `go movetime N` or `go nodes N`
// (simulations), `quit`. `stop` has no effect, because the player answers each command before it reads the next one.
//
//     uct [EXPLORATION]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "playout.h"
#include "position.h"
#include "random.h"
#include "text.h"
#include "token.h"

namespace {

using namespace cairn;
using Clock = std::chrono::steady_clock;

// The constant C in UCB1, for results between 0 and 1. docs/strength.md explains the choice.
constexpr double DefaultExploration = 0.7;
constexpr int RepetitionsToDraw = 3;
constexpr std::uint64_t LongestRollout = 10'000;  // a random game takes about 115 tokens
constexpr std::size_t LargestTree = 2'000'000;    // nodes; a full tree stops growing
constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();

struct Limits {
    std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
    Clock::time_point deadline = Clock::time_point::max();
};

// A token at a node, its results, and, once it has been tried, the node that it leads to.
struct Edge {
    Token token;
    std::uint32_t node = None;
    std::uint32_t visits = 0;
    double points = 0;  // sum over all visits, for the decider at the node above: 1 for a win, 1/2 for a draw
};

struct Node {
    Position position;
    std::uint32_t first_edge = None;  // the legal tokens in random order, listed on first use
    std::uint32_t edges = 0, tried = 0, visits = 0;
    bool repeated = false;  // G3

    bool is_over() const { return repeated || position.is_over(); }
};

// The result for Forest.
double result_of(const Position& position) {
    return position.winner == Winner::Nobody ? 0.5 : position.winner == Winner::Forest ? 1.0 : 0.0;
}

// A search tree. Every search starts a new tree in the same memory.
class Tree {
  public:
    explicit Tree(double exploration) : exploration_(exploration) {}

    void seed(std::uint64_t number) { random_ = Random(number); }

    // Returns the most visited token. Precondition: a tribe decides at the root, and the last of `turn_starts` is the
    // start of the current turn.
    const Edge& search(const Position& root, const std::vector<Key>& turn_starts, const Limits& limits) {
        constexpr std::uint64_t SimulationsPerLook = 16;  // simulations between clock checks
        nodes_.clear();
        edges_.clear();
        nodes_.push_back(Node{.position = root});
        past_ = turn_starts;
        for (simulations_ = 0; simulations_ < limits.simulations; ++simulations_) {
            const bool look = simulations_ % SimulationsPerLook == 0 && simulations_ > 0;
            if (look && Clock::now() >= limits.deadline) break;
            simulate();
        }
        const auto by_visits = [](const Edge& one, const Edge& other) { return one.visits < other.visits; };
        return *std::max_element(edges_.begin(), edges_.begin() + nodes_[0].edges, by_visits);
    }

    std::uint64_t simulations() const { return simulations_; }

  private:
    struct Step {
        std::uint32_t node, edge;
    };

    void simulate() {
        // 1. Selection and expansion: descend the tree to a token that has not been tried yet, or to the end of a game.
        std::uint32_t current = 0;
        path_.clear();
        for (bool is_new = false; !is_new && !nodes_[current].is_over();) {
            list_edges(current);
            const std::uint32_t edge = choose_edge(current);
            is_new = edges_[edge].node == None;
            if (is_new && nodes_.size() >= LargestTree) break;
            path_.push_back({current, edge});
            if (is_new) expand(current, edge);
            current = edges_[edge].node;
        }

        // 2. Simulation: play a random game to the end.
        double forest = 0.5;
        if (!nodes_[current].repeated) {
            Position position = nodes_[current].position;
            random_playout(position, random_, LongestRollout);
            forest = result_of(position);
        }

        // 3. Backpropagation: credit every token on the path with the result for its decider.
        for (const Step& step : path_) {
            ++nodes_[step.node].visits;
            ++edges_[step.edge].visits;
            edges_[step.edge].points += nodes_[step.node].position.decider == Decider::Sea ? 1 - forest : forest;
        }
    }

    void list_edges(std::uint32_t at) {
        if (nodes_[at].first_edge != None) return;
        TokenList tokens;
        nodes_[at].position.legal_tokens(tokens);
        for (int left = tokens.size(); left > 1; --left) std::swap(tokens[left - 1], tokens[below(left)]);
        nodes_[at].first_edge = std::uint32_t(edges_.size());
        nodes_[at].edges = std::uint32_t(tokens.size());
        for (const Token token : tokens) edges_.push_back({.token = token});
    }

    std::uint32_t choose_edge(std::uint32_t at) {
        const Node& node = nodes_[at];
        // Chance: all tiles that can be drawn are equally likely (E4).
        if (node.position.decider == Decider::Chance) return node.first_edge + std::uint32_t(below(int(node.edges)));
        // A tribe: try every token once, then choose the best by UCB1.
        if (node.tried < node.edges) return node.first_edge + node.tried;
        const double log_visits = std::log(double(node.visits));
        std::uint32_t best = node.first_edge;
        double best_bound = -1;
        for (std::uint32_t index = node.first_edge; index < node.first_edge + node.edges; ++index) {
            const Edge& edge = edges_[index];
            const double bound = edge.points / edge.visits + exploration_ * std::sqrt(log_visits / edge.visits);
            if (bound > best_bound) best = index, best_bound = bound;
        }
        return best;
    }

    // Adds the node that the last step of the path leads to.
    void expand(std::uint32_t parent, std::uint32_t edge) {
        ++nodes_[parent].tried;
        Node child{.position = nodes_[parent].position};
        child.position.play(edges_[edge].token);
        child.repeated = child.position.phase == Phase::Action && is_repetition(child.position.key);
        edges_[edge].node = std::uint32_t(nodes_.size());
        nodes_.push_back(child);
    }

    // Whether a turn starts in the position with this key for the third time (G3). The turn is the one at the end of
    // the current path.
    bool is_repetition(Key key) const {
        auto times = 1 + std::count(past_.begin(), past_.end(), key);
        for (std::size_t step = 1; step < path_.size(); ++step) {  // skip the root: if it starts a turn, it is in past_
            const Position& position = nodes_[path_[step].node].position;
            times += position.phase == Phase::Action && position.key == key;
        }
        return times >= RepetitionsToDraw;
    }

    int below(int bound) { return int(std::uint64_t(random_.next32()) * std::uint64_t(bound) >> 32); }

    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Step> path_;
    std::vector<Key> past_;
    Random random_{0};
    double exploration_;
    std::uint64_t simulations_ = 0;
};

std::uint64_t read_number(std::istringstream& words, std::uint64_t lowest) {
    std::string word;
    words >> word;
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(word.c_str(), &end, 10);
    if (word.empty() || word[0] == '-' || *end != '\0' || number < lowest) throw std::runtime_error("invalid number");
    return number;
}

// Handles the protocol. Keeps the current position and the positions at the start of each turn so far.
class Player {
  public:
    explicit Player(double exploration) : tree_(exploration) {}

    // Returns false on `quit`. Throws std::runtime_error if a command is invalid.
    bool obey(const std::string& line) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "quit") return false;
        if (command == "cep")
            std::cout << "id name Cairn textbook UCT\noption name Seed type spin default 0 min 0 max "
                      << std::numeric_limits<std::int64_t>::max() << "\ncepok\n";
        else if (command == "isready")
            std::cout << "readyok\n";
        else if (command == "position")
            set_position(words);
        else if (command == "setoption")
            set_option(words);
        else if (command == "go")
            go(words);
        else if (!command.empty() && command != "newgame" && command != "stop")
            throw std::runtime_error("unknown command");
        return true;
    }

  private:
    void set_option(std::istringstream& words) {
        std::string name, option, value;
        words >> name >> option >> value;
        if (option != "Seed" && option != "seed") throw std::runtime_error("the only option is Seed");
        tree_.seed(read_number(words, 0));
    }

    void set_position(std::istringstream& words) {
        std::string text, word;
        for (int field = 0; field < 7 && words >> word; ++field) text += (field > 0 ? " " : "") + word;
        std::optional<Position> position = read_position(text);
        if (!position) throw std::runtime_error("not a valid position");
        std::vector<Key> turn_starts{position->key};
        if (words >> word && word != "moves") throw std::runtime_error("only moves can follow the seven fields");
        while (words >> word) {
            const std::optional<Token> named = read_token(word);
            TokenList tokens;
            position->legal_tokens(tokens);
            const Token* token = named ? std::find(tokens.begin(), tokens.end(), *named) : tokens.end();
            if (token == tokens.end()) throw std::runtime_error(word + " is not legal");
            position->play(*token);
            if (position->phase == Phase::Action) turn_starts.push_back(position->key);
        }
        position_ = position;
        turn_starts_ = turn_starts;
    }

    void go(std::istringstream& words) {
        const Clock::time_point begin = Clock::now();
        if (!position_ || position_->is_over() || position_->phase == Phase::Draw)
            throw std::runtime_error("no tribe has a choice in this position");
        Limits limits;
        std::string word;
        bool limited = false;
        for (; words >> word; limited = true) {
            if (word == "movetime")
                limits.deadline = begin + std::chrono::milliseconds(read_number(words, 1));
            else if (word == "nodes")
                limits.simulations = read_number(words, 1);
            else
                throw std::runtime_error("go takes only movetime and nodes");
        }
        if (!limited) throw std::runtime_error("go needs movetime or nodes");

        const Edge& best = tree_.search(*position_, turn_starts_, limits);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        const double share = best.points / best.visits;
        std::cout << "info depth 1 score points " << std::lround(600 * (share - 0.5)) << " nodes "
                  << tree_.simulations() << " nps " << std::llround(double(tree_.simulations()) / (seconds + 1e-9))
                  << " time " << std::llround(seconds * 1000) << " pv " << write_token(best.token) << "\nbestmove "
                  << write_token(best.token) << "\n";
    }

    std::optional<Position> position_;
    std::vector<Key> turn_starts_;
    Tree tree_;
};

}  // namespace

int main(int argc, char** argv) {
    Player player(argc > 1 ? std::strtod(argv[1], nullptr) : DefaultExploration);
    for (std::string line; std::getline(std::cin, line);) {
        try {
            if (!player.obey(line)) return 0;
        } catch (const std::runtime_error& error) {
            std::cout << "error " << error.what() << "\n";
        }
        std::cout.flush();
    }
}
