/* The divider, the swap of panes on narrow screens, and the time a person is at work. */
import { post } from "./send.js";
import { data, desk } from "./walk.js";

const LEAST = 25;
const MOST = 65;
const PAUSE = 60_000; // milliseconds: a longer gap between two signs of life counts as this much
let timer = 0;

const setSplit = (split) => {
  const kept = Math.round(Math.max(LEAST, Math.min(split, MOST)));
  desk().dataset.split = String(kept);
  document.querySelector(".divider").setAttribute("aria-valuenow", String(kept));
  clearTimeout(timer);
  timer = setTimeout(() => {
    post(data("splitUrl"), new URLSearchParams({ split: kept }), { once: true }).catch(() => {});
  }, 800);
};

const drag = (event) => {
  if (!event.target.closest?.(".divider")) return;
  event.preventDefault();
  const box = document.querySelector(".panes").getBoundingClientRect();
  const move = (moved) => setSplit(((moved.clientX - box.left) / box.width) * 100);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", () => {
    document.removeEventListener("pointermove", move);
  }, { once: true });
};

export const view = (name) => {
  desk().dataset.view = name;
  for (const button of document.querySelectorAll("[data-view][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === name));
  }
};

let active = 0;
let before = 0;
const beat = () => {
  const now = performance.now();
  if (document.hidden) {
    before = 0;
    return;
  }
  if (before) active += Math.min(now - before, PAUSE);
  before = now;
};
export const activeTime = () => {
  beat();
  return Math.round(active);
};

export const start = () => {
  document.addEventListener("pointerdown", drag);
  document.addEventListener("keydown", (event) => {
    if (!event.target.closest?.(".divider")) return;
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    setSplit(Number(desk().dataset.split) + step);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-view]");
    if (button) view(button.dataset.view);
  });
  document.addEventListener("desk-painted", (event) => {
    active = event.detail.active ?? 0;
    before = document.hidden ? 0 : performance.now();
    view(desk().dataset.view ?? "both");
  });
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "input"]) {
    document.addEventListener(kind, beat, { passive: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && before) active += Math.min(performance.now() - before, PAUSE);
    before = document.hidden ? 0 : performance.now();
  });
};
