/* The keys of screening. Everything they do can be done by Tab and Enter too.

   j k ↓ ↑  row   Enter  open the record's page (the link itself)   a  keep   w 1 2 3  rank down
   p  as proposed   x  drop   =  duplicate   r  restore   z  undo the last decision   Esc  leave a form   /  words
*/
(() => {
  "use strict";

  const rows = () => [...document.querySelectorAll("tr.record-row")];
  const linkOf = (row) => row?.querySelector(".claim-link");
  const rowOf = (element) => element?.closest?.("tr.record-row");
  const status = document.getElementById("screened");
  let cursor = "";
  let armed = false; // "w" was pressed: a digit says how far down
  let last = ""; // the record that was decided last

  const current = () =>
    rowOf(document.activeElement) ?? rows().find((row) => row.dataset.id === cursor);
  document.addEventListener("focusin", (event) => {
    const row = rowOf(event.target);
    if (!row) return;
    for (const other of document.querySelectorAll("tr.cursor")) other.classList.remove("cursor");
    row.classList.add("cursor");
    cursor = row.dataset.id;
  });
  const go = (step) => {
    const all = rows();
    const at = all.indexOf(current());
    const next = all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
    linkOf(next)?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  };

  // One form a row holds what each choice asks; only the fields of the open one are sent.
  const ask = (row, what) => {
    for (const box of row.querySelectorAll(".ask")) {
      const open = box.dataset.for === what && box.hidden;
      box.hidden = !open;
      for (const field of box.querySelectorAll("select, input, button")) field.disabled = !open;
      row.querySelector(`[data-ask="${box.dataset.for}"]`)?.setAttribute("aria-expanded", String(open));
      if (open) box.querySelector("select, input")?.focus();
    }
  };
  const press = (row, state) => row?.querySelector(`button[name=state][value=${state}]`)?.click();
  const levelOf = (row, digit) => {
    const level = row.querySelector("[name=level]");
    if (row.querySelector('[data-for="down"]').hidden) ask(row, "down");
    level.value = `D${digit}`;
    const reasons = row.querySelector('[data-for="down"] [name=code]');
    const fitting = [...reasons.options].find((option) => option.dataset.level === level.value);
    if (fitting) reasons.value = fitting.value;
    reasons.focus();
  };
  // A reason stands for a level: choosing one sets the other, and either can be changed.
  document.addEventListener("change", (event) => {
    const box = event.target.closest?.('[data-for="down"]');
    if (!box || event.target.name !== "code") return;
    box.querySelector("[name=level]").value = event.target.selectedOptions[0].dataset.level;
  });

  const keys = {
    KeyJ: () => go(1),
    KeyK: () => go(-1),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    KeyA: () => press(current(), "kept"),
    KeyP: () => current()?.querySelector("form.as-proposed button")?.click(),
    KeyR: () => press(current(), "open"),
    KeyW: () => {
      const row = current();
      if (!row) return;
      ask(row, "down");
      armed = true;
      linkOf(row).focus({ preventScroll: true });
    },
    KeyX: () => current() && ask(current(), "dropped"),
    Equal: () => current() && ask(current(), "duplicate"),
    KeyZ: () => {
      const row = document.getElementById(`record-${last}`) ?? current();
      row?.querySelector("form.undo button")?.click();
    },
    Slash: () => document.getElementById("q").select(),
  };
  const typing = (target) => target.closest?.("input, select, textarea, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const row = rowOf(event.target);
    if (event.key === "Escape" && row) {
      ask(row, "");
      linkOf(row).focus();
      return;
    }
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    const digit = /^(?:Digit|Numpad)([123])$/.exec(event.code)?.[1];
    if (armed && digit && current()) {
      event.preventDefault();
      armed = false;
      levelOf(current(), digit);
      return;
    }
    armed = false;
    if (event.shiftKey && event.code !== "Equal") return;
    if (event.code.startsWith("Arrow") && !row) return; // outside the rows arrows scroll
    const act = keys[event.code];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-ask]");
    if (button) ask(rowOf(button), button.dataset.ask);
  });

  // The row that has the focus is swapped: the next one gets it first, an undone one keeps it.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const row = rowOf(event.detail.target);
    if (!row) return;
    const good = event.detail.xhr.status === 200;
    if (good) last = row.dataset.id;
    const form = event.detail.requestConfig.elt;
    if (good && !form.matches(".undo")) {
      const all = rows();
      const next = all[all.indexOf(row) + 1];
      cursor = next?.dataset.id ?? row.dataset.id;
      linkOf(next)?.focus();
    } else {
      cursor = row.dataset.id;
    }
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const row = rowOf(event.target) ?? document.getElementById(event.target?.id ?? "");
    const decided = row?.matches?.("tr.record-row") ? row : null;
    if (!decided) return;
    if (!rowOf(document.activeElement)) linkOf(current())?.focus();
    if (status) status.textContent = decided.querySelector(".decision")?.textContent.trim() ?? "";
  });
})();
