import megaliths from "virtual:megaliths/en";

import account from "../../../messages/account.en.json";
import common from "../../../messages/common.en.json";
import games from "../../../messages/games.en.json";
import learn from "../../../messages/learn.en.json";
import online from "../../../messages/online.en.json";
import play from "../../../messages/play.en.json";
import setup from "../../../messages/setup.en.json";
import story from "../../../messages/story.en.json";
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
