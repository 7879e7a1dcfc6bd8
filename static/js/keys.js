/* The keyboard: by the place of the key, off in fields and while text is composed. */
import * as source from "./source.js";
import * as verdict from "./verdict.js";
import { say } from "./send.js";
import { data, desk, go } from "./walk.js";

const TEXT = new Set(["text", "search", "date", "number", "email", "password", "url", ""]);
const inField = (element) =>
  element?.matches?.("textarea, select, [contenteditable]") ||
  (element?.matches?.("input") && TEXT.has(element.type));
const home = () => desk()?.querySelector("[data-focus-home]")?.focus();
const words = () => document.getElementById("words").dataset;

let findingMode = false;
const findings = (on) => {
  findingMode = on;
  desk()?.classList.toggle("choosing-finding", on);
};
const openFinding = (digit) => {
  const item = document.querySelector(`.finding[data-digit="${digit}"]`);
  findings(false);
  if (!item) return;
  item.querySelector("details").open = true;
  (item.querySelector("[name=reason]") ?? item.querySelector("summary")).focus();
};

const toggle = (id) => {
  const box = document.getElementById(id);
  if (!box) return null;
  box.open = !box.open;
  if (box.open) box.scrollIntoView({ block: "nearest" });
  return box;
};

const copy = async () => {
  const reading = document.getElementById("reader")?.dataset;
  const address = window.location.origin + (data("here") || reading?.here || window.location.pathname);
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    const field = document.createElement("textarea");
    field.value = address;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  say(words().copied);
};

const ACTIONS = {
  previous: () => go(data("previousUrl")),
  next: () => go(data("nextUrl")),
  open: () => go(data("openUrl")),
  keys: () => document.getElementById("keys").showModal(),
  reveal: () => verdict.reveal(),
  set: () => source.set(),
  "passage-back": () => source.passage(-1),
  "passage-on": () => source.passage(1),
};
const SUPPORT = { KeyA: "full", KeyD: "partial", KeyX: "none", KeyC: "contradicts" };
const TRUST = ["", "trusted_primary", "professional_secondary", "weak_untrusted", "unusable"];
const VERDICT = { KeyP: "pass", KeyV: "revise", KeyU: "cannot_judge", KeyS: "later" };
const KEYS = {
  KeyJ: ACTIONS.next, KeyK: ACTIONS.previous, KeyN: ACTIONS.open,
  ArrowDown: () => source.step(1), ArrowUp: () => source.step(-1),
  KeyE: (event) => source.step(event.shiftKey ? -1 : 1),
  BracketLeft: ACTIONS["passage-back"], BracketRight: ACTIONS["passage-on"],
  KeyF: source.focusFind,
  Slash: (event) => (event.shiftKey ? ACTIONS.keys() : source.focusFind()),
  KeyL: ACTIONS.set,
  KeyT: () => toggle("context"), KeyH: () => toggle("history"),
  // The links in it are a Tab away.
  KeyQ: () => toggle("independent")?.querySelector("summary").focus({ preventScroll: true }),
  KeyG: () => desk()?.classList.toggle("show-rules"),
  KeyB: () => document.querySelector(".desk, .reading")?.classList.toggle("show-hedges"),
  KeyO: () => document.querySelector("[data-key=reading]")?.click(),
  KeyM: () => document.getElementById("note")?.focus(),
  KeyY: copy, KeyR: ACTIONS.reveal, KeyZ: () => verdict.undo(),
  KeyI: () => findings(!findingMode),
};
const SHIFTED = new Set(["KeyE", "Slash"]);
const ONCE = new Set([...Object.keys(SUPPORT), ...Object.keys(VERDICT), "KeyZ", "KeyR", "KeyI"]);

const numberOf = (code) => /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? null;

const digit = (value) => {
  if (findingMode) openFinding(value);
  else if (verdict.isArmed()) verdict.digit(value);
  else if (TRUST[Number(value)]) source.assess("trust", TRUST[Number(value)]);
  else return false;
  return true;
};

const pressed = (event) => {
  const { code } = event;
  // Where it lies differs from keyboard to keyboard, and it is told by what stands on it.
  if (event.key === "?") {
    ACTIONS.keys();
    return true;
  }
  const number = numberOf(code);
  if (number !== null) return !event.shiftKey && digit(number);
  if (event.shiftKey && !SHIFTED.has(code)) return false;
  if (event.repeat && ONCE.has(code)) return true;
  if (code === "Escape") {
    verdict.arm("");
    findings(false);
    return true;
  }
  if (code === "Enter" || code === "NumpadEnter") {
    if (event.target.closest?.("button, a, summary, input")) return false;
    return verdict.isArmed() ? verdict.describe() : source.acceptProposal();
  }
  if (code !== "KeyI") findings(false);
  if (verdict.isArmed()) verdict.arm("");
  if (SUPPORT[code]) source.assess("support", SUPPORT[code]);
  else if (VERDICT[code]) verdict.choose(VERDICT[code]);
  else if (KEYS[code]) KEYS[code](event);
  else return false;
  return true;
};

const onKey = (event) => {
  if (event.isComposing || document.querySelector("dialog[open]")) return;
  const { target } = event;
  if ((event.ctrlKey || event.metaKey) && event.code === "Enter") {
    event.preventDefault();
    verdict.save();
    return;
  }
  if (event.altKey && event.code === "Enter" && target.closest?.(".red-question")) {
    event.preventDefault();
    verdict.shareReason();
    return;
  }
  if (inField(target)) {
    if (event.code === "Escape") {
      event.preventDefault();
      home();
    }
    return;
  }
  if (source.isSetting() && source.setKey(event)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.code.startsWith("Arrow") && target.closest?.(".reader-scroll, .divider, [role=menu]")) return;
  if (pressed(event)) event.preventDefault();
};

export const start = () => {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const control = event.target.closest("[data-key]");
    const action = control && ACTIONS[control.dataset.key];
    if (action) {
      event.preventDefault();
      action();
      return;
    }
    const link = event.target.closest("a[data-claim-link]");
    if (link && desk() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      go(link.getAttribute("href"));
    }
  });
};
