/* The audit screen. Modules: send (posts, the outbox), walk (from claim to claim), drafts, pairs
   (evidence), reader (the source), verdict (the bar), keys. The server renders; this moves. */
import { onDesk } from "./walk.js";
import * as drafts from "./drafts.js";
import * as keys from "./keys.js";
import * as pairs from "./pairs.js";
import * as reader from "./reader.js";
import * as verdict from "./verdict.js";
import * as panes from "./panes.js";

for (const part of [panes, drafts, pairs, reader, verdict, keys]) part.start();
onDesk();
