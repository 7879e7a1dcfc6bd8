/* What is typed but not saved: in the browser at once, on the server after a pause. */
import { post } from "./send.js";
import { data, desk } from "./walk.js";

const PAUSE = 800; // milliseconds
const VERSION = 1; // of the forms: a draft of another one is not filled in
const APART = new Set([
  "csrfmiddlewaretoken", "key", "base_version", "claim_version", "was", "next", "active_ms", "digit",
  "provisional", "until",
]);
const timers = new Map();
const initial = new WeakMap();

const forms = () => desk()?.querySelectorAll("form[data-slot]") ?? [];
const keyOf = (slot) =>
  `draft:${document.body.dataset.user}:${data("draftUrl")}:${slot}:${VERSION}`;

export const entries = (form) =>
  [...new FormData(form)].filter(([name, value]) => !APART.has(name) && typeof value === "string");
const written = (form) => JSON.stringify(entries(form));
export const isDirty = (form, since = null) =>
  form && (since ? JSON.stringify(since) : initial.get(form)) !== written(form);

export const fill = (form, pairs) => {
  const given = new Map();
  for (const [name, value] of pairs) given.set(name, [...(given.get(name) ?? []), value]);
  // Chosen defects first: their fields come with them.
  for (const box of form.querySelectorAll("[name=defect]")) {
    box.checked = (given.get("defect") ?? []).includes(box.value);
  }
  form.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
  for (const field of form.elements) {
    if (!field.name || APART.has(field.name)) continue;
    const values = given.get(field.name) ?? [];
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (field.type !== "submit" && values.length) field.value = values[0];
  }
  form.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
};

const local = (slot) => {
  try {
    return JSON.parse(window.localStorage.getItem(keyOf(slot)) ?? "null");
  } catch {
    return null;
  }
};
const keepLocal = (slot, pairs) => {
  try {
    if (pairs) {
      const kept = JSON.stringify({ pairs, at: new Date().toISOString() });
      window.localStorage.setItem(keyOf(slot), kept);
    } else {
      window.localStorage.removeItem(keyOf(slot));
    }
  } catch {
    // A full or forbidden store: the server's copy remains.
  }
};

const keep = (form, url = data("draftUrl")) => {
  const dirty = isDirty(form);
  const values = new URLSearchParams(dirty ? entries(form) : []);
  values.set("slot", form.dataset.slot);
  values.set("form_version", String(VERSION));
  post(url, values, { once: true, keepalive: values.toString().length < 60_000 }).catch(() => {});
};

const changed = (event) => {
  const form = event.target.closest?.("form[data-slot]");
  if (!form) return;
  keepLocal(form.dataset.slot, isDirty(form) ? entries(form) : null);
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(() => { timers.delete(form); keep(form); }, PAUSE));
};

const flush = () => {
  for (const [form, timer] of timers) {
    clearTimeout(timer);
    if (form.isConnected) keep(form);
  }
  timers.clear();
};

/* A saved form needs its draft no more; the server forgets its own copy with the save. */
export const settle = (form) => {
  clearTimeout(timers.get(form));
  timers.delete(form);
};
export const clear = (claimUrl, slot) => {
  try {
    window.localStorage.removeItem(
      `draft:${document.body.dataset.user}:${claimUrl}:${slot}:${VERSION}`);
  } catch {
    // Nothing was kept.
  }
};

const serverDrafts = () => {
  try {
    return JSON.parse(data("drafts") || "{}");
  } catch {
    return {};
  }
};
const pairsOf = (body) =>
  Object.entries(body).flatMap(([name, value]) => [].concat(value).map((one) => [name, one]));

const restore = (event) => {
  const kept = serverDrafts();
  for (const form of forms()) {
    initial.set(form, written(form));
    const { slot } = form.dataset;
    const there = kept[slot]?.version === VERSION ? kept[slot] : null;
    const here = local(slot);
    const newer = here && (!there || here.at > there.at) ? here.pairs : null;
    const pairs = event.detail.refill?.[slot] ?? newer ?? (there && pairsOf(there.body));
    if (!pairs) continue;
    fill(form, pairs);
    if (event.detail.refill?.[slot]) keepLocal(slot, entries(form));
    const note = document.getElementById("draft-note");
    if (slot === "verdict" && note && !event.detail.refill) note.hidden = false;
  }
};

export const start = () => {
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
  document.addEventListener("chosen", changed);
  document.addEventListener("desk-leaving", flush);
  window.addEventListener("pagehide", flush);
  document.addEventListener("desk-painted", restore);
};
