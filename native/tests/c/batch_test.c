/* Plays games through cairn.h, as a program in another language would. Ends with status 1 at the first failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../batch/cairn.h"

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

#define GAMES 8

int main(void) {
    cairn_settings settings = cairn_default_settings();
    settings.games = GAMES;
    settings.seed = 1;
    settings.variant = CAIRN_EVERY_VARIANT;
    settings.threads = 2;
    settings.outputs = CAIRN_OBSERVATIONS | CAIRN_BYTE_MASKS | CAIRN_BIT_MASKS;
    cairn_batch* batch = cairn_batch_create(&settings);
    CHECK(batch != NULL);

    /* The first legal token in every game, 500 times. */
    int ended = 0;
    for (int step = 0; step < 500; ++step) {
        const cairn_frame frame = cairn_batch_frame(batch);
        int32_t ids[GAMES];
        for (int game = 0; game < GAMES; ++game) {
            ids[game] = frame.counts[game] > 0 ? frame.legal[game * CAIRN_LIST_LENGTH + step % frame.counts[game]] : 0;
            if (frame.counts[game] > 0) {
                CHECK(frame.masks[game * CAIRN_TOKENS + ids[game]] == 1);
                CHECK(frame.bits[game * CAIRN_MASK_WORDS + ids[game] / 64] >> (ids[game] % 64) & 1);
            }
            ended += frame.terminations[game];
        }
        CHECK(cairn_batch_step(batch, ids) == -1);
    }
    CHECK(ended > 0);
    for (int step = 0; step < 100; ++step) cairn_batch_step_random(batch);

    /* Text. */
    const char* start = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
    char text[128];
    CHECK(cairn_batch_place(batch, 3, start) == 1);
    CHECK(cairn_batch_place(batch, 3, "nonsense") == 0);
    CHECK(cairn_batch_place(batch, GAMES, start) == 0);
    CHECK(cairn_batch_position(batch, 3, text, sizeof text) == strlen(start));
    CHECK(strcmp(text, start) == 0);
    CHECK(cairn_batch_token(batch, 3, 3, text, sizeof text) == 3);
    CHECK(strcmp(text, "+d1") == 0);
    CHECK(cairn_batch_token(batch, 3, 3, text, 2) == 3);
    CHECK(strcmp(text, "+") == 0);
    CHECK(cairn_batch_token(batch, 3, CAIRN_TOKENS, text, sizeof text) == 0);

    /* Errors. */
    int32_t wrong[GAMES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    cairn_batch_reset(batch, 2);
    CHECK(cairn_batch_step(batch, wrong) == 0);
    const uint8_t chosen[GAMES] = {1, 0, 1, 0, 0, 0, 0, 0};
    cairn_batch_reset_games(batch, chosen);
    cairn_batch_destroy(batch);
    settings.games = 0;
    CHECK(cairn_batch_create(&settings) == NULL);
    settings.games = 1;
    settings.variant = 7;
    CHECK(cairn_batch_create(&settings) == NULL);

    puts("c: passed");
    return 0;
}
