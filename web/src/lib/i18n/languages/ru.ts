import megaliths from "virtual:megaliths/ru";

import account from "../../../messages/account.ru.json";
import common from "../../../messages/common.ru.json";
import games from "../../../messages/games.ru.json";
import learn from "../../../messages/learn.ru.json";
import online from "../../../messages/online.ru.json";
import play from "../../../messages/play.ru.json";
import setup from "../../../messages/setup.ru.json";
import story from "../../../messages/story.ru.json";
import type { Messages } from "../keys";

const messages: Messages = {
    ...account,
    ...common,
    ...games,
    ...learn,
    ...megaliths,
    ...online,
    ...play,
    ...setup,
    ...story,
};

export default messages;
