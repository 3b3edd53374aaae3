import megaliths from "virtual:megaliths/fr";

import fault from "../../../../../src/cairn/messages/fault.fr.json";
import story from "../../../../../src/cairn/messages/story.fr.json";
import account from "../../../messages/account.fr.json";
import alerts from "../../../messages/alerts.fr.json";
import cards from "../../../messages/cards.fr.json";
import common from "../../../messages/common.fr.json";
import games from "../../../messages/games.fr.json";
import guide from "../../../messages/guide.fr.json";
import learn from "../../../messages/learn.fr.json";
import online from "../../../messages/online.fr.json";
import play from "../../../messages/play.fr.json";
import setup from "../../../messages/setup.fr.json";
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
