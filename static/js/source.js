/* The evidence: which one has the focus, what the reviewer says of it. Then its source: passages,
   search, and a passage set by hand. Offsets are code points. */
import { done, events, parsed, post, queue, request, say } from "./send.js";
import { data, desk } from "./walk.js";

const rows = () => [...(desk()?.querySelectorAll(".pair") ?? document.querySelectorAll(".pair"))];
export const focused = () => document.querySelector(".pair.focused");

export const loadReader = async (url) => {
  const answer = await request(url);
  if (!answer.ok) return;
  const fresh = parsed(await answer.text()).querySelector("#reader");
  const old = document.getElementById("reader");
  if (!fresh || !old) return;
  const inside = old.contains(document.activeElement);
  old.replaceWith(fresh);
  htmx.process(fresh);
  document.dispatchEvent(new CustomEvent("reader-painted"));
  if (inside) fresh.querySelector(".reader-scroll")?.focus({ preventScroll: true });
};

export const choose = (row) => {
  if (!row || row.classList.contains("focused")) return;
  for (const other of rows()) {
    other.classList.toggle("focused", other === row);
    other.toggleAttribute("aria-current", other === row);
    for (const field of other.querySelectorAll("[name=focused]")) {
      field.value = other === row ? "1" : "0";
    }
  }
  row.scrollIntoView({ block: "nearest" });
  const here = new URL(data("here") || window.location.href, window.location.origin);
  here.searchParams.set("e", row.dataset.position);
  if (desk()) {
    desk().dataset.here = here.pathname + here.search;
    window.history.replaceState({ desk: true }, "", here);
  }
  loadReader(row.dataset.reader);
};

export const step = (by) => {
  const all = rows();
  const at = all.indexOf(focused());
  choose(all[Math.max(0, Math.min(all.length - 1, at + by))]);
};

const recount = () => {
  const left = rows().reduce((sum, row) => sum + Number(row.dataset.unconfirmed), 0);
  const shown = document.getElementById("unconfirmed");
  if (!shown) return;
  shown.textContent = String(left);
  shown.parentElement.hidden = !left;
};

/* Texts typed in the row but not saved yet go into its new form. */
const carry = (old, fresh) => {
  for (const field of old.querySelectorAll("textarea[id], select[id], input[type=text][id]")) {
    const now = fresh.querySelector(`#${CSS.escape(field.id)}`);
    const initial = field.tagName === "SELECT"
      ? [...field.options].find((option) => option.defaultSelected)?.value ?? field.options[0]?.value
      : field.defaultValue;
    if (now && field.value !== initial) now.value = field.value;
  }
  for (const kept of old.querySelectorAll("details[open]")) {
    fresh.querySelector(`details.${kept.classList[0]}`)?.setAttribute("open", "");
  }
};

const again = (fresh, active) =>
  (active.id && document.getElementById(active.id)) ||
  (active.name && fresh.querySelector(`[name="${active.name}"][value="${active.value}"]`)) ||
  fresh.querySelector(".pair-open");

const replace = (pk, html) => {
  const old = document.getElementById(`pair-${pk}`);
  const fresh = parsed(html).querySelector(".pair");
  if (!old || !fresh) return;
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  carry(old, fresh);
  fresh.classList.toggle("focused", old.classList.contains("focused"));
  fresh.toggleAttribute("aria-current", old.classList.contains("focused"));
  old.replaceWith(fresh);
  htmx.process(fresh);
  if (active) again(fresh, active).focus();
  recount();
};

const refuse = (pk, html) => {
  const row = document.getElementById(`pair-${pk}`);
  if (!row) return;
  row.querySelector(".refusal")?.remove();
  const box = document.createElement("div");
  box.className = "refusal";
  box.setAttribute("role", "alert");
  box.append(parsed(html));
  row.append(box);
};

/* The form is read when its turn comes: the version in it is then the one just saved. */
const send = (pk, url, values, form = null) =>
  queue(async () => {
    const row = document.getElementById(`pair-${pk}`);
    const body = new URLSearchParams(
      form ? [...new FormData(form)] : [...new FormData(row.querySelector("form.assess"))]);
    const version = row?.querySelector("[name=base_version]")?.value;
    if (version !== undefined) body.set("base_version", version);
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    const answer = await post(url, body);
    const html = await answer.text();
    if (answer.ok) {
      replace(pk, html);
      const said = events(answer).assessed ?? {};
      done({ request: said.request, claim: data("claim") });
      say(`${document.getElementById("words").dataset.saved} ${said.at ?? ""}`);
      return said;
    }
    refuse(pk, html);
    return null;
  }).catch(() => {
    say(document.body.dataset.offline);
    return null;
  });

export const assess = (name, value, row = focused()) => {
  const button = row?.querySelector(`button[name=${name}][value=${value}]`);
  if (!button) return;
  for (const other of button.parentElement.querySelectorAll("button")) {
    other.setAttribute("aria-pressed", String(other === button));
    other.classList.toggle("sending", other === button);
  }
  send(row.dataset.evidence, button.form.action, { [name]: value });
};

export const setPassage = async (start, end) => {
  const reader = document.getElementById("reader");
  const { evidence, assessUrl } = reader.dataset;
  const row = document.getElementById(`pair-${evidence}`);
  const version = row?.querySelector("[name=base_version]")?.value ?? "0";
  const said = await send(evidence, assessUrl, { start, end, base_version: version });
  if (said) await loadReader(row?.dataset.reader ?? reader.dataset.reader);
};

export const startPairs = () => {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.assess");
    if (!form) return;
    event.preventDefault();
    const { submitter } = event;
    if (submitter?.name) assess(submitter.name, submitter.value, form.closest(".pair"));
    else send(form.dataset.pair, form.action, {}, form);
  });
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.assess[data-change]");
    if (form) send(form.dataset.pair, form.action, {}, form);
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest(".pair-open");
    if (opener) choose(opener.closest(".pair"));
    const other = event.target.closest("button[data-reader]");
    if (other) loadReader(other.dataset.reader);
  });
};

/* The text of the source. */
const scroll = () => document.querySelector(".reader-scroll");
const frames = () => [
  ...document.querySelectorAll("#window mark[data-span]"),
].filter((mark, at, all) =>
  all.findIndex((other) => other.dataset.span === mark.dataset.span) === at);
let at = 0;

const centre = (element) => {
  const box = scroll();
  if (!box || !element) return;
  const place = element.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  const middle = place.top - frame.top - Math.max(0, (frame.height - place.height) / 2);
  box.scrollTop += Math.min(middle, place.top - frame.top - 40);
};

export const current = () => frames()[at] ?? null;
const show = (to, scrolls = true) => {
  const all = frames();
  const number = document.getElementById("passage-number");
  if (number) {
    number.textContent = `${to + 1}/${all.length}`;
    number.parentElement.hidden = !all.length;
    document.getElementById("no-passage").hidden = all.length > 0;
  }
  for (const mark of all) mark.classList.remove("current");
  for (const item of document.querySelectorAll("[data-proposal]")) item.classList.remove("current");
  const mark = all[to];
  if (!mark) return;
  at = to;
  mark.classList.add("current");
  document.querySelector(`[data-proposal="${mark.dataset.span}"]`)?.classList.add("current");
  if (scrolls) centre(mark);
};
export const passage = (by) => {
  const all = frames();
  if (all.length) show((at + by + all.length) % all.length);
};
export const acceptProposal = () => {
  const mark = current();
  if (!mark?.classList.contains("mark-proposed")) return false;
  const [start, end] = mark.dataset.span.split("-");
  setPassage(start, end);
  return true;
};

/* Find: the server looks in the whole text. */
let number = 1;
let wanted = "";
export const find = async (field, by) => {
  const text = field.value.trim();
  number = text === wanted ? number + by : 1;
  wanted = text;
  const url = new URL(field.dataset.findUrl, window.location.origin);
  url.searchParams.set("find", text);
  url.searchParams.set("n", String(Math.max(1, number)));
  const answer = await request(url);
  if (!answer.ok) return;
  const fresh = parsed(await answer.text()).querySelector("#window");
  document.getElementById("window").replaceWith(fresh);
  htmx.process(fresh);
  const found = fresh.dataset.found ?? "";
  number = Number.parseInt(found, 10) || 1;
  document.getElementById("find-count").textContent = found;
  centre(fresh.querySelector(".mark-current"));
};
export const focusFind = () => document.querySelector("input.find")?.focus();

/* Where a place in the page lies in the text. An element with data-n stands for that many
   characters which it does not hold. */
const length = (node) => {
  if (node.nodeType === Node.TEXT_NODE) return [...node.data].length;
  if (node.dataset?.n) return Number(node.dataset.n);
  let sum = 0;
  for (const child of node.childNodes) sum += length(child);
  return sum;
};
export const offsetOf = (node, index) => {
  const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const run = element.closest?.("[data-c]");
  if (!run) {
    const inside = element.nodeType === Node.ELEMENT_NODE ? element : null;
    const after = inside?.childNodes[index];
    const next = after?.nodeType === Node.ELEMENT_NODE
      ? after.matches("[data-c]") ? after : after.querySelector("[data-c]")
      : null;
    if (next) return Number(next.dataset.c);
    const all = inside?.querySelectorAll("[data-c]") ?? [];
    const end = all[all.length - 1];
    return end ? Number(end.dataset.c) + length(end) : null;
  }
  let sum = Number(run.dataset.c);
  const before = document.createRange();
  before.setStart(run, 0);
  before.setEnd(node, index);
  sum += length(before.cloneContents());
  return sum;
};
const span = (selection) => {
  if (!selection.rangeCount || !scroll()?.contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0);
  const start = offsetOf(range.startContainer, range.startOffset);
  const end = offsetOf(range.endContainer, range.endOffset);
  return start === null || end === null || start >= end ? null : [start, end];
};

/* Setting a passage by hand: a caret in the text that arrows move. */
let setting = false;
const caret = document.createElement("span");
caret.className = "caret";
caret.setAttribute("aria-hidden", "true");
const drawCaret = () => {
  const selection = window.getSelection();
  const box = scroll();
  if (!setting || !box || !selection.focusNode || !box.contains(selection.focusNode)) {
    caret.remove();
    return;
  }
  const range = document.createRange();
  range.setStart(selection.focusNode, selection.focusOffset);
  const place = [...range.getClientRects()].pop() ??
    (selection.focusNode.parentElement ?? selection.focusNode).getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  box.append(caret);
  caret.style.left = `${place.left - frame.left + box.scrollLeft}px`;
  caret.style.top = `${place.top - frame.top + box.scrollTop}px`;
  caret.style.height = `${Math.max(place.height, 18)}px`;
  if (place.top < frame.top + 30) box.scrollTop -= frame.top + 60 - place.top;
  else if (place.bottom > frame.bottom - 30) box.scrollTop += place.bottom - frame.bottom + 60;
};
const firstShown = () => {
  const frame = scroll().getBoundingClientRect();
  return [...document.querySelectorAll("#window [data-c]")].find(
    (run) => run.getBoundingClientRect().bottom > frame.top + 10);
};
export const isSetting = () => setting;
export const set = (on = !setting) => {
  const box = scroll();
  if (!box || !document.getElementById("reader")?.dataset.assessUrl) return;
  setting = on;
  box.classList.toggle("setting", on);
  document.querySelector("[data-key=set]")?.setAttribute("aria-pressed", String(on));
  const selection = window.getSelection();
  if (!on) {
    caret.remove();
    selection.removeAllRanges();
    return;
  }
  box.focus({ preventScroll: true });
  if (span(selection)) return drawCaret();
  const begin = current()?.querySelector("[data-c]") ?? firstShown();
  if (begin) selection.collapse(begin.firstChild ?? begin, 0);
  drawCaret();
};
export const setKey = (event) => {
  const selection = window.getSelection();
  const moves = {
    ArrowLeft: ["left", event.ctrlKey ? "word" : "character"],
    ArrowRight: ["right", event.ctrlKey ? "word" : "character"],
    ArrowUp: ["backward", "line"],
    ArrowDown: ["forward", "line"],
    Home: ["backward", "lineboundary"],
    End: ["forward", "lineboundary"],
  };
  if (event.code === "Escape") {
    set(false);
  } else if (event.code === "Enter" || event.code === "NumpadEnter") {
    const chosen = span(selection);
    if (!chosen) return true;
    set(false);
    setPassage(...chosen);
  } else if (moves[event.code]) {
    selection.modify(event.shiftKey ? "extend" : "move", ...moves[event.code]);
    drawCaret();
  } else {
    return false;
  }
  event.preventDefault();
  return true;
};

export const showLabelled = (label) => {
  const found = frames().findIndex((mark) => mark.dataset.label === label);
  if (found >= 0) show(found);
};

export const painted = () => {
  at = 0;
  setting = false;
  wanted = "";
  // Proposals stand in the list at the top: that is read first.
  show(0, !frames()[0]?.matches(".mark-proposed"));
};

export const startReader = () => {
  document.addEventListener("desk-painted", painted);
  document.addEventListener("reader-painted", painted);
  document.addEventListener("selectionchange", () => { if (setting) drawCaret(); });
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input.find");
    if (!field || event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      find(field, event.shiftKey ? -1 : 1);
    }
  });
  document.addEventListener("click", (event) => {
    const accept = event.target.closest("[data-accept]");
    if (accept) setPassage(...accept.dataset.accept.split("-"));
    const go = event.target.closest(".proposal-go");
    if (go) {
      const wantedSpan = go.closest("[data-proposal]").dataset.proposal;
      show(frames().findIndex((mark) => mark.dataset.span === wantedSpan));
    }
  });
};
