/* From claim to claim without a new page: fetched ahead, painted at once, put into the history.
   Then the panes: the divider, their swap on narrow screens, and the time a person is at work. */
import { NoAnswer, parsed, post, request, say } from "./send.js";

const WAIT = 300; // milliseconds after a claim is painted until the next one is fetched
const ahead = new Map(); // address -> promise of a screen
let timer = 0;

export const desk = () => document.getElementById("desk");
export const data = (name) => desk()?.dataset[name] ?? "";
/* After a save: the next open claim. Its id is known once it has been fetched ahead. */
export const target = () => data("openUrl");
let openAhead = "";
export const targetClaim = () => openAhead;

const fetchDesk = async (url, options = {}) => {
  const answer = await request(url, { headers: { "HX-Target": "desk" }, ...options });
  if (answer.status === 204) return { end: true, url };
  if (!answer.ok) return null;
  return { html: await answer.text(), url };
};
const CLAIM = /data-claim="([^"]*)"/;

export const prefetch = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const wanted = new Set([target(), data("nextUrl")].filter(Boolean));
    for (const url of ahead.keys()) if (!wanted.has(url)) ahead.delete(url);
    for (const url of wanted) {
      // Nobody asked for it: an ended session is no reason to interrupt whoever is writing.
      if (!ahead.has(url)) ahead.set(url, fetchDesk(url, { once: true }).catch(() => null));
    }
    const url = target();
    ahead.get(url)?.then((screen) => {
      if (url === target()) openAhead = CLAIM.exec(screen?.html ?? "")?.[1] ?? "";
    });
  }, WAIT);
};
export const drop = () => ahead.clear();

/* Called for each claim that is painted, also for the first. */
export const onDesk = (options = {}) => {
  openAhead = "";
  document.dispatchEvent(new CustomEvent("desk-painted", { detail: options }));
  prefetch();
};

export const paint = (screen, { push = true, focus = true, ...options } = {}) => {
  const fresh = parsed(screen.html).querySelector("#desk");
  if (!fresh) return false;
  document.dispatchEvent(new CustomEvent("desk-leaving"));
  fresh.dataset.view = desk()?.dataset.view ?? "both";
  desk().replaceWith(fresh);
  htmx.process(fresh);
  document.title = fresh.dataset.title;
  const here = fresh.dataset.here || screen.url;
  if (push) window.history.pushState({ desk: true }, "", here);
  onDesk(options);
  if (focus) fresh.querySelector("[data-focus-home]")?.focus({ preventScroll: true });
  return true;
};

let latest = 0;
/* Gives true once painted, null where no claim follows, false where nothing came of it. */
export const go = async (url, options = {}) => {
  if (!url) return false;
  const turn = (latest += 1);
  const kept = options.fresh ? undefined : ahead.get(url);
  ahead.delete(url);
  try {
    const screen = (await kept) ?? (await fetchDesk(url));
    if (turn !== latest) return false;
    if (screen?.end) {
      if (!options.quiet) say(document.getElementById("words").dataset.end);
      return null;
    }
    if (screen && paint(screen, options)) return true;
  } catch (fault) {
    if (!(fault instanceof NoAnswer)) throw fault;
    say(document.body.dataset.offline);
    return false;
  }
  window.location.assign(url);
  return false;
};

/* Stay where one is: a claim that is still on its way is not painted. */
export const stay = () => { latest += 1; };

export const reload = (options = {}) =>
  go(data("here") || window.location.href, { push: false, fresh: true, ...options });

/* A place within the page has no state of ours: the browser alone goes there. */
window.addEventListener("popstate", (event) => {
  if (!event.state?.desk || !desk()) return;
  go(window.location.pathname + window.location.search, { push: false, fresh: true });
});

const LEAST = 25;
const MOST = 65;
const PAUSE = 60_000; // milliseconds: a longer gap between two signs of life counts as this much
let splitTimer = 0;

const setSplit = (split) => {
  const kept = Math.round(Math.max(LEAST, Math.min(split, MOST)));
  desk().dataset.split = String(kept);
  document.querySelector(".divider").setAttribute("aria-valuenow", String(kept));
  clearTimeout(splitTimer);
  splitTimer = setTimeout(() => {
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

export const startPanes = () => {
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
