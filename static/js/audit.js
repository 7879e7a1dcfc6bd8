/* The audit screen. Modules: send (posts, the outbox), walk (from claim to claim, the panes), drafts,
   source (evidence and its text), verdict (the bar), keys. The server renders; this moves. */
import * as drafts from "./drafts.js";
import * as keys from "./keys.js";
import * as source from "./source.js";
import * as verdict from "./verdict.js";
import { desk, onDesk, startPanes } from "./walk.js";

startPanes();
drafts.start();
source.startPairs();
source.startReader();
verdict.start();
keys.start();
if (desk()) window.history.replaceState({ desk: true }, "");
onDesk();
if (document.activeElement === document.body) {
  desk()?.querySelector("[data-focus-home]")?.focus({ preventScroll: true });
}
const asked = new URLSearchParams(window.location.search).get("choose");
if (asked) {
  window.history.replaceState({ desk: true }, "", desk().dataset.here);
  verdict.choose(asked === "revise" ? "revise" : "");
}
