import common from "../../../messages/common.fr.json";
import games from "../../../messages/games.fr.json";
import learn from "../../../messages/learn.fr.json";
import play from "../../../messages/play.fr.json";
import setup from "../../../messages/setup.fr.json";
import story from "../../../messages/story.fr.json";
import type { Messages } from "../keys";

const messages: Messages = { ...common, ...games, ...learn, ...play, ...setup, ...story };

export default messages;
