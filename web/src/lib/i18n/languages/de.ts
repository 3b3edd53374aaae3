import megaliths from "virtual:megaliths/de";

import account from "../../../messages/account.de.json";
import common from "../../../messages/common.de.json";
import games from "../../../messages/games.de.json";
import learn from "../../../messages/learn.de.json";
import online from "../../../messages/online.de.json";
import play from "../../../messages/play.de.json";
import setup from "../../../messages/setup.de.json";
import story from "../../../messages/story.de.json";
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
