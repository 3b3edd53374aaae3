import common from "../../../messages/common.ru.json";
import games from "../../../messages/games.ru.json";
import learn from "../../../messages/learn.ru.json";
import play from "../../../messages/play.ru.json";
import setup from "../../../messages/setup.ru.json";
import story from "../../../messages/story.ru.json";
import type { Messages } from "../keys";

const messages: Messages = { ...common, ...games, ...learn, ...play, ...setup, ...story };

export default messages;
