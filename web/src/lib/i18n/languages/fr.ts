import megaliths from "virtual:megaliths/fr";

import account from "../../../messages/account.fr.json";
import common from "../../../messages/common.fr.json";
import games from "../../../messages/games.fr.json";
import learn from "../../../messages/learn.fr.json";
import online from "../../../messages/online.fr.json";
import play from "../../../messages/play.fr.json";
import setup from "../../../messages/setup.fr.json";
import story from "../../../messages/story.fr.json";
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
