import megaliths from "virtual:megaliths/de";

import fault from "../../../../../src/cairn/messages/fault.de.json";
import story from "../../../../../src/cairn/messages/story.de.json";
import account from "../../../messages/account.de.json";
import alerts from "../../../messages/alerts.de.json";
import cards from "../../../messages/cards.de.json";
import common from "../../../messages/common.de.json";
import games from "../../../messages/games.de.json";
import guide from "../../../messages/guide.de.json";
import learn from "../../../messages/learn.de.json";
import online from "../../../messages/online.de.json";
import play from "../../../messages/play.de.json";
import setup from "../../../messages/setup.de.json";
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
