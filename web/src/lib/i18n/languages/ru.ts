import megaliths from "virtual:megaliths/ru";

import fault from "../../../../../src/cairn/messages/fault.ru.json";
import story from "../../../../../src/cairn/messages/story.ru.json";
import account from "../../../messages/account.ru.json";
import alerts from "../../../messages/alerts.ru.json";
import cards from "../../../messages/cards.ru.json";
import common from "../../../messages/common.ru.json";
import games from "../../../messages/games.ru.json";
import guide from "../../../messages/guide.ru.json";
import learn from "../../../messages/learn.ru.json";
import online from "../../../messages/online.ru.json";
import play from "../../../messages/play.ru.json";
import setup from "../../../messages/setup.ru.json";
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
