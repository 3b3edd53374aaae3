// The syntax of records.
#include <algorithm>

#include "record.h"
#include "utf8.h"

namespace cairn {

namespace {

constexpr std::size_t LongestToken = 40;  // in characters; valid tokens are shorter
constexpr std::size_t MostFaults = 20;

bool is_letter(char letter) { return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; }

// Parses a number without leading zeros and with at most `most` digits; returns -1 for any other text.
int number_of(std::string_view text, std::size_t most) {
    if (text.empty() || text.size() > most || (text[0] == '0' && text.size() > 1)) return -1;
    int number = 0;
    for (char digit : text) {
        if (!is_digit(digit)) return -1;
        number = number * 10 + (digit - '0');
    }
    return number;
}

// The first character for which `is_wrong` holds, as text; empty if there is none.
template <typename IsWrong>
std::string find_character(std::string_view text, IsWrong is_wrong) {
    for (Character character : characters_of(text))
        if (is_wrong(character.code)) return std::string(character.bytes);
    return "";
}

std::string with_plain_breaks(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the byte order mark
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
        plain += text[at] == '\r' ? '\n' : text[at];
    }
    return plain;
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    WrittenRecord parse() {
        read();
        const auto is_bad_header = [](const Fault& fault) { return fault.kind == "bad-header"; };
        auto& faults = record_.faults;
        if (!has_header("Position") && std::none_of(faults.begin(), faults.end(), is_bad_header)) {
            faults.insert(faults.begin(), Fault{"no-position", "Position", {}});
            if (faults.size() > MostFaults) faults.pop_back();
        }
        return std::move(record_);
    }

  private:
    void read() {
        skip_spaces();
        while (at_ < text_.size() && text_[at_] == '[' && !given_up_) {
            read_header();
            skip_spaces();
        }
        while (at_ < text_.size() && !given_up_) {
            read_piece();
            skip_spaces();
        }
        if (given_up_) return;
        close_turn();
        if (record_.result == 0) add("no-result", "result", {});
    }

    void add(std::string_view kind, std::string_view field, Details details) {
        if (given_up_) return;
        record_.faults.push_back({kind, std::string(field), std::move(details)});
        given_up_ = record_.faults.size() == MostFaults;
    }
    void add_here(std::string_view kind, std::string_view what) {
        Details details{{"line", std::to_string(line_)}};
        if (!what.empty()) details.emplace_back("what", shorten(what));
        add(kind, "line", std::move(details));
    }

    void advance(std::size_t end) {
        line_ += int(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
        at_ = end;
    }
    void skip_spaces() {
        std::size_t end = at_;
        while (end < text_.size() && is_space(text_[end])) ++end;
        advance(end);
    }
    bool has_header(std::string_view name) const {
        return std::any_of(record_.headers.begin(), record_.headers.end(),
                           [name](const auto& header) { return header.first == name; });
    }

    // Matches [Name "value"] at the current place. Sets the name, the value with its escapes, and the end of the line.
    bool match_header(std::string_view& name, std::string_view& value, std::size_t& end) const {
        std::size_t at = at_ + 1;
        const std::size_t name_start = at;
        const auto is_name = [](char letter) { return is_letter(letter) || is_digit(letter) || letter == '_'; };
        if (at >= text_.size() || !is_letter(text_[at])) return false;
        while (at < text_.size() && is_name(text_[at])) ++at;
        name = text_.substr(name_start, at - name_start);
        if (text_.substr(at, 2) != " \"") return false;
        const std::size_t value_start = at += 2;
        while (at < text_.size() && text_[at] != '"') {
            if (text_[at] == '\\') ++at;
            if (at >= text_.size() || text_[at] == '\n') return false;
            ++at;
        }
        value = text_.substr(value_start, at - value_start);
        if (text_.substr(at, 2) != "\"]") return false;
        at += 2;
        while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
        if (at < text_.size() && text_[at] != '\n') return false;
        end = std::min(at + 1, text_.size());
        return true;
    }

    void read_header() {
        std::string_view name, value;
        std::size_t end = 0;
        if (!match_header(name, value, end)) {
            end = std::min(text_.find('\n', at_), text_.size());
            add_here("bad-header", text_.substr(at_, end - at_));
            return advance(end);
        }
        std::string unescaped, bad_escape;
        for (std::size_t at = 0; at < value.size(); ++at) {
            if (value[at] != '\\') {
                unescaped += value[at];
                continue;
            }
            const Character next = first_character(value.substr(++at));
            const bool known = next.code == '"' || next.code == '\\';
            if (!known && bad_escape.empty()) bad_escape = "\\" + std::string(next.bytes);
            if (!known) unescaped += '\\';
            unescaped += value[at];
        }
        const std::string wrong =
            find_character(value, [](std::uint32_t code) { return code == '\t' || is_unwritable(code); });
        if (has_header(name))
            add("header-twice", name, {{"again", std::to_string(line_)}});
        else if (!bad_escape.empty())
            add("bad-escape", name, {{"what", bad_escape}});
        else if (!wrong.empty())
            add("control-character", name, {{"what", wrong}});
        if (!has_header(name)) record_.headers.emplace_back(name, unescaped);
        advance(end);
    }

    // Reads a comment, a mark or a word.
    void read_piece() {
        const bool is_comment = text_[at_] == '{';
        const std::size_t close = is_comment ? text_.find('}', at_) : std::string_view::npos;
        const bool open = is_comment && close == std::string_view::npos;
        std::size_t end = at_ + 1;
        if (is_comment && !open) end = close + 1;
        if (!is_comment)
            while (end < text_.size() && !is_space(text_[end]) && text_[end] != '{' && text_[end] != '$') ++end;
        const std::string_view piece = text_.substr(at_, end - at_);
        if (record_.result != 0) {
            add_here("after-the-result", piece);
            at_ = text_.size();
            return;
        }
        if (open) {
            add_here("open-comment", "");
            at_ = text_.size();
            return;
        }
        if (is_comment)
            read_comment(piece.substr(1, piece.size() - 2));
        else if (piece[0] == '$')
            read_mark(piece);
        else
            read_word(piece);
        advance(end);
    }

    void read_word(std::string_view word) {
        if (pending_number_ != 0) return begin_turn(word);
        if (const int number = number_of(word, 9); number > 0) {
            close_turn();
            pending_number_ = number;
            return;
        }
        if (word.size() == 1 && std::string_view("FS=*").find(word[0]) != std::string_view::npos) {
            close_turn();
            record_.result = word[0];
            return;
        }
        if (record_.turns.empty()) return add_here("no-number", word);
        WrittenTurn& turn = record_.turns.back();
        turn.tokens.push_back({std::string(word), {}});
        if (count_characters(word) <= LongestToken && read_token(word)) return;
        add("not-a-token", "turn",
            {{"turn", std::to_string(turn.number)},
             {"token", std::to_string(turn.tokens.size())},
             {"text", shorten(word)},
             {"at", std::to_string(line_)}});
    }

    void begin_turn(std::string_view tribe) {
        const int number = std::exchange(pending_number_, 0);
        if (tribe != "F" && tribe != "S")
            add("bad-tribe", "turn", {{"turn", std::to_string(number)}, {"what", shorten(tribe)}});
        record_.turns.push_back({number, std::string(tribe), line_, {}});
    }

    void close_turn() {
        if (pending_number_ != 0) {
            add("bad-tribe", "turn", {{"turn", std::to_string(pending_number_)}});
            pending_number_ = 0;
            return;
        }
        if (record_.turns.empty()) return;
        const WrittenTurn& turn = record_.turns.back();
        if (turn.tokens.empty() && (turn.tribe == "F" || turn.tribe == "S"))
            add("empty-turn", "turn", {{"turn", std::to_string(turn.number)}, {"at", std::to_string(turn.line)}});
    }

    void read_mark(std::string_view mark) {
        const int number = number_of(mark.substr(1), 3);
        if (number < 0 || number > HighestMark) return add_here("bad-mark", mark);
        if (Note* note = noted("mark")) note->marks.push_back(number);
    }

    void read_comment(std::string_view comment) {
        const std::string wrong = find_character(comment, is_unwritable);
        if (!wrong.empty()) return add_here("control-character", wrong);
        if (Note* note = noted("comment")) note->comments.emplace_back(comment);
    }

    // The note on the last token, for a mark or comment that follows it.
    Note* noted(std::string_view what) {
        if (pending_number_ == 0 && !record_.turns.empty() && !record_.turns.back().tokens.empty())
            return &record_.turns.back().tokens.back().note;
        add_here("no-token", what);
        return nullptr;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    int pending_number_ = 0;  // the number of a turn whose tribe has not been read yet
    bool given_up_ = false;
    WrittenRecord record_;
};

}  // namespace

WrittenRecord parse_record(std::string_view text) {
    const std::string plain = with_plain_breaks(text);
    return Parser(plain).parse();
}

}  // namespace cairn
