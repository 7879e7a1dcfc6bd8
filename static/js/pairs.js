/* The evidence: which one has the focus, what the reviewer says of it. */
import { done, events, post, queue, request, say } from "./send.js";
import { data, desk } from "./walk.js";

const rows = () => [...(desk()?.querySelectorAll(".pair") ?? document.querySelectorAll(".pair"))];
export const focused = () => document.querySelector(".pair.focused");

export const loadReader = async (url) => {
  const answer = await request(url);
  if (!answer.ok) return;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const fresh = holder.content.querySelector("#reader");
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
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.querySelector(".pair");
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
  box.innerHTML = html;
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
      say(`${document.body.dataset.savedWord ?? "✔"} ${said.at ?? ""}`);
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

export const start = () => {
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
