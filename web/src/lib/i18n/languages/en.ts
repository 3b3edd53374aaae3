import megaliths from "virtual:megaliths/en";

import fault from "../../../../../src/cairn/messages/fault.en.json";
import story from "../../../../../src/cairn/messages/story.en.json";
import account from "../../../messages/account.en.json";
import alerts from "../../../messages/alerts.en.json";
import cards from "../../../messages/cards.en.json";
import common from "../../../messages/common.en.json";
import games from "../../../messages/games.en.json";
import guide from "../../../messages/guide.en.json";
import learn from "../../../messages/learn.en.json";
import online from "../../../messages/online.en.json";
import play from "../../../messages/play.en.json";
import setup from "../../../messages/setup.en.json";
import type { Messages } from "../keys";

const messages: Messages = {
    ...account,
    ...alerts,
    ...cards,
    ...common,
    ...fault,
    ...games,
    ...guide,
    ...learn,
    ...megaliths,
    ...online,
    ...play,
    ...setup,
    ...story,
};

export default messages;
