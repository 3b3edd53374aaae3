#include "samples.h"

#include <algorithm>

namespace cairn::training {

Sample sample_of(const Position& position, std::int16_t score, int result) {
    Sample sample;
    sample.inputs.fill(input::Count);
    const Inputs inputs = inputs_of(position, position.active);
    std::copy(inputs.begin(), inputs.end(), sample.inputs.begin());
    sample.score = score;
    sample.result = std::int8_t(result);
    sample.faces = position.faces;
    return sample;
}

}  // namespace cairn::training
