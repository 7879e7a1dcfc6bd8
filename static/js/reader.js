/* The source: passages, search, and a passage set by hand. Offsets are code points. */
import { request } from "./send.js";
import { setPassage } from "./pairs.js";

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
  if (number) number.textContent = all.length ? `${to + 1}/${all.length}` : "0";
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
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const fresh = holder.content.querySelector("#window");
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

export const start = () => {
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
