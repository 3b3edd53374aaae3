/* Many games of Cairn at once, for programs in C and every language that can call C.
 *
 * docs/environments.md describes the numbers of tokens and the observations. All functions are thread-safe for
 * different batches. `make library` builds the library. */
#ifndef CAIRN_H
#define CAIRN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define CAIRN_API __declspec(dllexport)
#else
#define CAIRN_API __attribute__((visibility("default")))
#endif

#define CAIRN_ENCODING_VERSION 1
#define CAIRN_ACTIONS 3655    /* tribes choose tokens with smaller numbers */
#define CAIRN_TOKENS 3672     /* the draws come after them */
#define CAIRN_OBSERVATION 730 /* bytes */
#define CAIRN_MASK_WORDS 58
#define CAIRN_LIST_LENGTH 256

enum cairn_variant { CAIRN_BEGINNER, CAIRN_STANDARD, CAIRN_EXPERT, CAIRN_EVERY_VARIANT };
enum cairn_decider { CAIRN_FOREST, CAIRN_SEA, CAIRN_CHANCE, CAIRN_NOBODY };

/* What happens to a game after its end: the next step deals a new one; the same step does; nothing until a reset. */
enum cairn_autoreset { CAIRN_NEXT_STEP, CAIRN_SAME_STEP, CAIRN_DISABLED };

/* The parts of a frame that can be left out. */
enum cairn_output { CAIRN_OBSERVATIONS = 1, CAIRN_BYTE_MASKS = 2, CAIRN_BIT_MASKS = 4 };

typedef struct cairn_settings {
    uint64_t seed;
    int32_t games;
    int32_t variant; /* game i of CAIRN_EVERY_VARIANT plays variant i % 3 */
    int32_t autoreset;
    int32_t outputs; /* a sum of cairn_output */
    int32_t threads;
    int32_t longest_game;  /* in tokens; a longer game is truncated; 0: no limit */
    int32_t chooses_draws; /* whether draws are choices of the caller, too */
    int32_t is_strict;     /* whether an illegal choice is an error */
    float illegal_reward;  /* otherwise: the reward for it */
} cairn_settings;

/* The results of a step. Each array has a row for each game; the comment says how long a row is. Arrays that were left
 * out are NULL. The arrays belong to the batch: the step after the next one overwrites them. */
typedef struct cairn_frame {
    const uint8_t* observations;       /* CAIRN_OBSERVATION */
    const uint8_t* final_observations; /* CAIRN_OBSERVATION; for games that ended in this step, with CAIRN_SAME_STEP */
    const uint8_t* masks;              /* CAIRN_TOKENS */
    const uint64_t* bits;              /* CAIRN_MASK_WORDS */
    const int16_t* legal;              /* CAIRN_LIST_LENGTH: the legal tokens, then -1 */
    const int16_t* counts;             /* 1: the number of legal tokens */
    const int16_t* choices;            /* 1: the token that this step played; -1 if none */
    const uint8_t* deciders;           /* 1: a cairn_decider */
    const float* rewards;              /* 2: Forest's and Sea's */
    const uint8_t* terminations;       /* 1 */
    const uint8_t* truncations;        /* 1 */
    const uint8_t* illegal;            /* 1: whether the choice was illegal and therefore ignored */
} cairn_frame;

typedef struct cairn_batch cairn_batch;

CAIRN_API cairn_settings cairn_default_settings(void);

/* Returns NULL if a setting is out of range. */
CAIRN_API cairn_batch* cairn_batch_create(const cairn_settings* settings);
CAIRN_API void cairn_batch_destroy(cairn_batch* batch);

CAIRN_API cairn_frame cairn_batch_frame(const cairn_batch* batch);

/* Deals all games anew, from this seed. */
CAIRN_API void cairn_batch_reset(cairn_batch* batch, uint64_t seed);
/* Deals the games anew for which `chosen` is not 0. */
CAIRN_API void cairn_batch_reset_games(cairn_batch* batch, const uint8_t* chosen);
/* Starts a game from a position in Cairn's notation. Returns 0 if that is not possible. */
CAIRN_API int cairn_batch_place(cairn_batch* batch, int32_t game, const char* position);

/* Plays a token in every game. Returns -1, or the number of the first game with an illegal choice if the batch is
 * strict; nothing changes then. */
CAIRN_API int32_t cairn_batch_step(cairn_batch* batch, const int32_t* ids);
/* Plays a random legal token in every game. */
CAIRN_API void cairn_batch_step_random(cairn_batch* batch);

/* Write the position of a game, and the token that a number stands for in it. Like snprintf, they write at most `size`
 * characters with the final 0, and return the length of the whole text. The text of a number without a token is empty.
 */
CAIRN_API size_t cairn_batch_position(const cairn_batch* batch, int32_t game, char* text, size_t size);
CAIRN_API size_t cairn_batch_token(const cairn_batch* batch, int32_t game, int32_t id, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
