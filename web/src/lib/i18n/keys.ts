import type fault from "../../../../src/cairn/messages/fault.en.json";
import type story from "../../../../src/cairn/messages/story.en.json";
import type account from "../../messages/account.en.json";
import type alerts from "../../messages/alerts.en.json";
import type cards from "../../messages/cards.en.json";
import type common from "../../messages/common.en.json";
import type explorer from "../../messages/explorer.en.json";
import type games from "../../messages/games.en.json";
import type guide from "../../messages/guide.en.json";
import type learn from "../../messages/learn.en.json";
import type mistakes from "../../messages/mistakes.en.json";
import type online from "../../messages/online.en.json";
import type play from "../../messages/play.en.json";
import type puzzles from "../../messages/puzzles.en.json";
import type review from "../../messages/review.en.json";
import type setup from "../../messages/setup.en.json";
import type study from "../../messages/study.en.json";

/** The keys of all messages, taken from English. A test checks that the other languages have the same keys. */
export type MessageKey =
    | keyof typeof account
    | keyof typeof alerts
    | keyof typeof cards
    | keyof typeof common
    | keyof typeof explorer
    | keyof typeof fault
    | keyof typeof games
    | keyof typeof guide
    | keyof typeof learn
    | keyof typeof mistakes
    | keyof typeof online
    | keyof typeof play
    | keyof typeof puzzles
    | keyof typeof review
    | keyof typeof setup
    | keyof typeof story
    | keyof typeof study
    | `megalith.${string}.${"name" | "power"}`;

export type Messages = Readonly<Record<string, string>>;
