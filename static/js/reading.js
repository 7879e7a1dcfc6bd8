/* Source reading: the claims of one snapshot, judged where they stand in its text. */
import { done, events, parsed, post, queue, say } from "./send.js";
import * as source from "./source.js";
import * as verdict from "./verdict.js";

const words = document.getElementById("words").dataset;
const claims = () => [...document.querySelectorAll(".reading-claim")];
let at = 0;

const choose = (to, focus = true) => {
  const all = claims();
  if (!all.length) return;
  at = Math.max(0, Math.min(all.length - 1, to));
  for (const [place, item] of all.entries()) item.classList.toggle("chosen", place === at);
  for (const row of document.querySelectorAll(".pair")) row.classList.remove("focused");
  all[at].querySelector(".pair")?.classList.add("focused");
  if (focus) all[at].focus({ preventScroll: true });
  all[at].scrollIntoView({ block: "nearest" });
  source.showLabelled(all[at].dataset.claim);
};

const judge = (item, decision) => {
  const form = item.querySelector("form.quick-verdict");
  const button = form.querySelector(`[value=${decision}]`);
  button.setAttribute("aria-pressed", "true");
  button.classList.add("sending");
  const body = new URLSearchParams([...new FormData(form)]);
  body.set("decision", decision);
  queue(async () => {
    const answer = await post(form.action, body);
    button.classList.remove("sending");
    const message = form.querySelector(".quick-message");
    if (answer.status !== 204) {
      button.setAttribute("aria-pressed", "false");
      message.replaceChildren(parsed(await answer.text()));
      return;
    }
    message.replaceChildren();
    const said = events(answer)["verdict-saved"] ?? {};
    form.elements.base_version.value = said.version;
    form.elements.key.value = `${Date.now()}-${Math.random()}`.slice(0, 60);
    for (const other of form.querySelectorAll("button.verdict")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    item.classList.add("done");
    document.getElementById("reading-done").textContent =
      String(document.querySelectorAll(".reading-claim.done").length);
    done({ request: said.request, claim: item.dataset.claim });
    say(`${words.saved} ${said.at}`);
    if (claims()[at] === item) choose(at + 1);
  }).catch(() => say(document.body.dataset.offline));
};

const undo = async () => verdict.undoHere(document.querySelector(".reading").dataset.undoUrl);

const SUPPORT = { KeyA: "full", KeyD: "partial", KeyX: "none", KeyC: "contradicts" };
const TRUST = ["", "trusted_primary", "professional_secondary", "weak_untrusted", "unusable"];
const KEYS = {
  KeyJ: () => choose(at + 1), KeyK: () => choose(at - 1),
  KeyP: () => judge(claims()[at], "pass"), KeyU: () => judge(claims()[at], "cannot_judge"),
  KeyV: () => claims()[at].querySelector("[data-verdict=revise]").click(),
  KeyO: () => document.querySelector("[data-key=back]").click(),
  KeyF: () => source.focusFind(), KeyZ: undo,
};

source.startPairs();
source.startReader();
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.quick-verdict");
  if (!form) return;
  event.preventDefault();
  judge(form.closest(".reading-claim"), event.submitter.value);
});
document.addEventListener("click", (event) => {
  const item = event.target.closest(".reading-claim");
  if (item && !event.target.closest("a, button, input, textarea, select, summary")) {
    choose(claims().indexOf(item));
  }
  if (event.target.closest("#undo")) undo();
});
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input:not([type=checkbox]), textarea, select")) {
    if (event.code === "Escape") choose(at);
    return;
  }
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(event.code)?.[1];
  if (digit) source.assess("trust", TRUST[Number(digit)]);
  else if (SUPPORT[event.code]) source.assess("support", SUPPORT[event.code]);
  else if (event.code === "Slash") {
    if (event.shiftKey) document.getElementById("keys").showModal();
    else source.focusFind();
  } else if (KEYS[event.code] && !event.shiftKey) KEYS[event.code]();
  else return;
  event.preventDefault();
});
choose(Math.max(0, claims().findIndex((item) => !item.classList.contains("done"))), false);
