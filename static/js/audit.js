/* The audit screen. Modules: send (posts, the outbox), walk (from claim to claim), drafts, pairs
   (evidence), reader (the source), verdict (the bar), keys, panes. The server renders; this moves. */
import { desk, onDesk } from "./walk.js";
import * as drafts from "./drafts.js";
import * as keys from "./keys.js";
import * as pairs from "./pairs.js";
import * as panes from "./panes.js";
import * as reader from "./reader.js";
import * as verdict from "./verdict.js";

for (const part of [panes, drafts, pairs, reader, verdict, keys]) part.start();
onDesk();
if (document.activeElement === document.body) {
  desk()?.querySelector("[data-focus-home]")?.focus({ preventScroll: true });
}
const asked = new URLSearchParams(window.location.search).get("choose");
if (asked) {
  window.history.replaceState({ desk: true }, "", desk().dataset.here);
  verdict.choose(asked === "revise" ? "revise" : "");
}
