/* Posts to the server: with the current token, again after sign-in, again when the line is bad. */

const WAITS = [600, 2000, 5000]; // milliseconds before each new try without an answer

export const say = (text) =>
  document.dispatchEvent(new CustomEvent("say", { detail: { value: text } }));

const token = () => {
  const name = `${document.body.dataset.csrfCookie}=`;
  const found = document.cookie.split("; ").find((part) => part.startsWith(name));
  return found ? found.slice(name.length) : "";
};

const pause = (time) => new Promise((done) => setTimeout(done, time));

/* Requests that wait for a sign-in. It may have been declined: what comes next asks anew. */
let held = 0;
export const askToSignIn = () => {
  if (held) document.dispatchEvent(new CustomEvent("session-ended"));
};
const signedIn = () =>
  new Promise((done) => {
    held += 1;
    document.addEventListener("signed-in", () => { held -= 1; done(); }, { once: true });
    askToSignIn();
  });

export class NoAnswer extends Error {}

export const request = async (url, options = {}) => {
  for (let tries = 0; ; tries += 1) {
    const headers = {
      "HX-Request": "true",
      "X-Client-Time": new Date().toISOString(),
      ...(options.method === "POST" ? { "X-CSRFToken": token() } : {}),
      ...(options.headers ?? {}),
    };
    let answer;
    try {
      answer = await fetch(url, { credentials: "same-origin", ...options, headers });
    } catch {
      if (tries >= WAITS.length || options.once) throw new NoAnswer();
      await pause(WAITS[tries]);
      continue;
    }
    if (answer.status !== 401) return answer;
    if (options.once) throw new NoAnswer();
    await signedIn();
    tries = -1;
  }
};

/* What our own templates rendered, and so escaped, as nodes. */
export const parsed = (html) => {
  const holder = document.createElement("template");
  // Markup of the server alone comes here; in a <template> it neither runs nor loads anything.
  holder.innerHTML = html;
  return holder.content;
};

export const notice = (text) => {
  const box = document.createElement("div");
  box.className = "notice notice-error";
  const line = document.createElement("p");
  line.textContent = text;
  box.append(line);
  return box;
};

export const events = (answer) => {
  try {
    return JSON.parse(answer.headers.get("HX-Trigger") ?? "{}");
  } catch {
    return {};
  }
};

/* A form's own token may be that of a session that ended; the one in the header is current. */
export const post = (url, values, options = {}) => {
  values.delete("csrfmiddlewaretoken");
  return request(url, { method: "POST", body: values, ...options });
};

/* What is on its way. One after the other, so that later judgements never overtake earlier ones. */
let waiting = 0;
let last = Promise.resolve();
const count = (change) => {
  waiting += change;
  document.dispatchEvent(new CustomEvent("outbox", { detail: { value: waiting } }));
};

export const queue = (work) => {
  count(1);
  askToSignIn();
  const next = last.then(work).finally(() => count(-1));
  last = next.catch(() => {});
  return next;
};

/* The last own action, which "z" takes back for ten seconds. */
export const UNDO_TIME = 10_000;
let latest = null;
let hiding = 0;
export const done = (action) => {
  latest = { ...action, until: Date.now() + UNDO_TIME };
  const button = document.getElementById("undo");
  if (!button) return;
  button.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { button.hidden = true; }, UNDO_TIME);
};
export const lastAction = () => (latest && Date.now() < latest.until ? latest : null);
export const forget = () => {
  latest = null;
  const button = document.getElementById("undo");
  if (button) button.hidden = true;
};
