/* The verdict bar: what is chosen, what is asked, saving and going on. */
import {
  NoAnswer, askToSignIn, done, events, forget, lastAction, notice, parsed, post, queue, say,
} from "./send.js";
import * as drafts from "./drafts.js";
import {
  activeTime, data, desk, drop, go, reload, stay, target, targetClaim,
} from "./walk.js";

export const bar = () => document.getElementById("bar");
const words = () => document.getElementById("words").dataset;
const message = (html) => document.getElementById("bar-message").replaceChildren(parsed(html));
const tell = (text) => document.getElementById("bar-message").replaceChildren(notice(text));

let armed = "";
export const isArmed = () => armed;
export const arm = (group) => {
  armed = group;
  const palette = document.getElementById("palette");
  if (palette) palette.dataset.armed = group;
};

/* The fields of a defect come from one template, when the defect is first chosen. */
export const addFields = (box) => {
  const { content } = document.getElementById("defect-fields");
  const fields = content.firstElementChild.cloneNode(true);
  const { title, rule } = { title: box.parentElement.dataset.title, rule: box.parentElement.title };
  fields.dataset.code = box.value;
  fields.querySelector(".defect-code").textContent = box.value;
  fields.querySelector(".defect-title").textContent = title;
  fields.querySelector(".rule-text").textContent = rule;
  for (const field of fields.querySelectorAll("[name]")) field.name = box.value + field.name;
  const severity = fields.querySelector("select.severity");
  severity.value = severity.dataset.proposed = box.dataset.proposed;
  document.getElementById("defects").append(fields);
  return fields;
};

const press = () => {
  const form = bar();
  const decision = form.elements.decision.value;
  form.dataset.decision = decision;
  for (const button of form.querySelectorAll("button.verdict")) {
    button.setAttribute("aria-pressed", String(button.dataset.decision === decision));
  }
  form.querySelector(".until").hidden = decision !== "later";
  for (const box of form.querySelectorAll("[name=defect]")) {
    const fields = form.querySelector(`.defect-fields[data-code="${box.value}"]`);
    if (box.checked) (fields ?? addFields(box)).hidden = false;
    else if (fields) fields.hidden = true;
  }
  for (const select of form.querySelectorAll("select.severity")) {
    const reason = select.closest(".defect-fields").querySelector(".severity-reason");
    reason.hidden = select.value === select.dataset.proposed;
  }
  document.getElementById("hard-note").hidden = !hard();
};
const hard = () => [...bar().querySelectorAll("[name=defect]:checked")].some((box) =>
  (bar().elements[`${box.value}-severity`]?.value ?? box.dataset.proposed) === "hard");

export const choose = (decision) => {
  const form = bar();
  if (!form) return;
  form.elements.decision.value = decision;
  if (decision !== "revise") arm("");
  message("");
  press();
  form.dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
  if (decision === "revise") arm("H");
};

/* Put the cursor into the words of the defect chosen last; false where none is chosen. */
export const describe = () => {
  const shown = [...bar().querySelectorAll(".defect-fields:not([hidden])")];
  const fields = shown.find((each) => each.dataset.code === latest) ?? shown.at(-1);
  fields?.querySelector("input")?.focus();
  return Boolean(fields);
};

let latest = "";
export const digit = (value) => {
  if (value === "0") return arm(armed === "S" ? "H" : "S");
  const box = bar().querySelector(`[data-group="${armed}"] [data-digit="${value}"]`);
  if (!box) return undefined;
  box.checked = !box.checked;
  latest = box.value;
  box.dispatchEvent(new Event("change", { bubbles: true }));
  return undefined;
};

/* The reason written last, for every red check that has none yet; the person may still change each. */
export const shareReason = () => {
  const fields = [...bar().querySelectorAll(".red-question input")];
  const written = fields.includes(document.activeElement) ? document.activeElement : null;
  const reason = (written ?? fields.find((each) => each.value.trim()))?.value.trim();
  if (!reason) {
    tell(words().red);
    return fields[0]?.focus();
  }
  for (const field of fields.filter((each) => !each.value.trim())) {
    field.value = reason;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return (written ?? fields[0]).focus();
};

/* What the rules ask is asked here before anything is sent; the server asks the same again. */
const ready = (form) => {
  const decision = form.elements.decision.value;
  if (!decision) {
    tell(words().choose);
    return false;
  }
  if (decision === "revise" && !form.querySelector("[name=defect]:checked")) {
    tell(words().defect);
    arm("H");
    return false;
  }
  if (decision === "pass") {
    const empty = [...form.querySelectorAll(".red-question input")].find((f) => !f.value.trim());
    if (empty) {
      tell(words().red);
      empty.focus();
      return false;
    }
  }
  return true;
};

const hasChanged = (html) => html.includes('data-code="claim-changed"');

const reopen = async (item, html) => {
  stay();
  say(words().failed);
  const refill = { verdict: item.entries };
  const here = item.here;
  // What changed meanwhile must be seen before it is judged again.
  if (data("claim") === item.claim && !hasChanged(html)) {
    const same = bar();
    drafts.fill(same, item.entries);
    press();
  } else {
    await go(here, { refill, fresh: true, active: item.active });
  }
  message(html);
  document.getElementById("bar-message").querySelector("button, input")?.focus();
};

const revealing = (provisional, version) =>
  new URLSearchParams({ provisional, claim_version: version });

const refused = async (item, answer) => {
  const html = await answer.text();
  if (answer.status === 422 && html.includes('data-code="red-checks"') && item.sealed) {
    await post(item.revealUrl, revealing(item.decision, item.body.get("claim_version")));
    await go(item.here, { refill: { verdict: item.entries }, fresh: true });
  }
  if ([409, 422].includes(answer.status)) return reopen(item, html);
  const text = parsed(html).querySelector("main p, p")?.textContent ?? words().failed;
  return reopen(item, notice(text).outerHTML);
};

const saved = async (item, said) => {
  drafts.clear(item.draftUrl, "verdict");
  done({ request: said.request, claim: item.claim, url: item.here, entries: item.entries });
  say(`${words().saved} ${said.at}`);
  const moved = await item.moving;
  if (moved === null) say(`${words().saved} ${said.at} · ${words().end}`);
  const next = said.next ?? {};
  const unwritten = !drafts.isDirty(bar(), moved ? null : item.entries);
  // Fetched ahead and changed since: shown anew, unless somebody is at work in it.
  const changed = next.claim === data("claim") && next.stamp !== data("stamp");
  if (unwritten && (changed || item.claim === data("claim"))) reload({ focus: !moved });
};

export const save = () => {
  const form = bar();
  if (form?.dataset.sending) askToSignIn();
  if (!form || form.dataset.sending || !ready(form)) return;
  form.dataset.sending = "1";
  document.getElementById("save").classList.add("sending");
  const url = target();
  form.elements.active_ms.value = String(activeTime());
  form.elements.next.value = targetClaim();
  const decision = form.elements.decision.value;
  const item = {
    claim: data("claim"), here: data("here"), draftUrl: data("draftUrl"), decision,
    sealed: desk().hasAttribute("data-sealed"), revealUrl: data("revealUrl"),
    entries: drafts.entries(form), active: activeTime(),
    address: decision === "later" ? form.dataset.laterUrl : form.action,
    body: new URLSearchParams([...new FormData(form)]),
  };
  drafts.settle(form);
  say(words().sending);
  queue(async () => {
    const answer = await post(item.address, item.body);
    if (answer.status === 204) saved(item, events(answer)["verdict-saved"] ?? {});
    else await refused(item, answer);
  }).catch((fault) => {
    if (!(fault instanceof NoAnswer)) throw fault;
    reopen(item, notice(document.body.dataset.offline).outerHTML);
  }).finally(() => {
    if (form.isConnected) {
      delete form.dataset.sending;
      document.getElementById("save")?.classList.remove("sending");
    }
  });
  // That no claim follows is said together with what was saved, whichever is known first.
  item.moving = url ? go(url, { quiet: true }) : Promise.resolve(false);
};

export const reveal = async () => {
  const form = bar();
  if (!desk().hasAttribute("data-sealed")) return;
  const provisional = form.elements.decision.value;
  if (!provisional || provisional === "later") return tell(words().choose);
  const version = form.elements.claim_version.value;
  const answer = await post(data("revealUrl"), revealing(provisional, version));
  const html = await answer.text();
  // Revealed, or changed by an import since: the claim is shown anew, with what was chosen.
  if (answer.status === 204 || hasChanged(html)) {
    await reload({ refill: { verdict: drafts.entries(form) }, active: activeTime() });
  }
  if (answer.status !== 204) message(html);
  return undefined;
};

export const undo = async (id = "") => {
  const action = id ? { request: id } : lastAction();
  if (!action?.request) return say(words().late);
  const answer = await post(data("undoUrl"), new URLSearchParams({ request: action.request }));
  if (answer.status !== 204) {
    return say(parsed(await answer.text()).textContent.trim());
  }
  const said = events(answer).undone ?? {};
  forget();
  drop();
  say(`${words().undone} ${said.at}`);
  const claims = said.claims ?? [];
  const refill = action.entries ? { verdict: action.entries } : undefined;
  if (!claims.length || claims.includes(data("claim"))) return reload({ refill });
  const url = action.url ?? `${window.location.pathname}?at=${encodeURIComponent(claims[0])}`;
  return go(url, { fresh: true, refill });
};

/* On pages without a desk: take the last action back and show the page anew. */
export const undoHere = async (url) => {
  const action = lastAction();
  if (!action?.request) return say(words().late);
  const answer = await post(url, new URLSearchParams({ request: action.request }));
  if (answer.status === 204) window.location.reload();
  return undefined;
};

const settleConflict = (choice) => {
  const box = document.querySelector(".conflict");
  if (choice === "theirs") {
    drafts.clear(data("draftUrl"), "verdict");
    const empty = new URLSearchParams({ slot: "verdict", form_version: "1" });
    post(data("draftUrl"), empty).finally(() => reload());
    return;
  }
  bar().elements.base_version.value = box.dataset.version;
  bar().elements.key.value = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  bar().elements.was.value = "";
  message("");
  save();
};

export const start = () => {
  document.addEventListener("desk-painted", () => {
    if (!bar()) return;
    arm("");
    press();
  });
  document.addEventListener("filled", (event) => { if (event.target === bar()) press(); });
  document.addEventListener("submit", (event) => {
    if (event.target !== bar()) return;
    event.preventDefault();
    save();
  });
  document.addEventListener("change", (event) => {
    if (!bar()?.contains(event.target)) return;
    if (hard() && bar().elements.decision.value !== "revise") choose("revise");
    press();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.verdict");
    if (button) choose(button.dataset.decision);
    const choice = event.target.closest("[data-conflict]");
    if (choice) settleConflict(choice.dataset.conflict);
    const back = event.target.closest("[data-undo]");
    if (back) undo(back.dataset.undo);
    if (event.target.closest("[data-share-reason]")) shareReason();
    if (event.target.closest("#undo")) undo();
  });
  document.addEventListener("finding-decided", (event) => {
    const { finding, state, request, at } = event.detail;
    document.querySelector(`.red-question[data-finding="${finding}"]`)
      ?.toggleAttribute("hidden", state !== "open");
    if (state !== "open") document.querySelector(`.red-question[data-finding="${finding}"]`)?.remove();
    const left = document.querySelectorAll(".red-question").length;
    document.querySelector(".share-reason")?.toggleAttribute("hidden", left < 2);
    done({ request, claim: data("claim") });
    say(`${words().saved} ${at}`);
    requestAnimationFrame(() => document.querySelector(`#finding-${finding} summary`)?.focus());
  });
  document.addEventListener("key-marked", (event) => {
    done({ request: event.detail.request, claim: data("claim") });
    reload({ refill: { verdict: drafts.entries(bar()) }, active: activeTime() });
  });
};
