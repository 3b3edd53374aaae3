#include "lines.h"

namespace cairn {

std::vector<LineOfThree> find_lines(const Position& position, Space enemy) {
    std::vector<LineOfThree> lines;
    const Spaces mine = position.shamans[position.active];
    const auto add_if_complete = [&](int first, int second, int third) {
        Spaces line = 0;
        for (int space : {first, second, third}) {
            if (space < 0 || space >= SpaceLimit) return;
            line |= bit(Space(space));
        }
        if ((line & ~bit(enemy) & ~mine) == 0 && (line & position.moved) != 0)
            lines.push_back({Space(first), Space(second), Space(third)});
    };
    for (int axis : Axes) {
        if ((position.faces & TransformEnd) == 0) {
            add_if_complete(enemy - axis, enemy, enemy + axis);
        } else {
            add_if_complete(enemy, enemy + axis, enemy + 2 * axis);
            add_if_complete(enemy - 2 * axis, enemy - axis, enemy);
        }
    }
    return lines;
}

}  // namespace cairn
