/* The keys of the list of claims. Everything they do can be done by Tab and Enter too.

   j k ↓ ↑  row cursor (it is the focus of a row's link)   Enter  open (the link itself)
   Shift+↓  peek at the row   x  tick it   /  to the query   z  undo the last change in bulk
*/
(() => {
  "use strict";

  const list = () => document.getElementById("list");
  const peek = document.getElementById("peek");
  const query = document.getElementById("q");
  const sort = document.getElementById("sort");
  const links = () => [...document.querySelectorAll(".claim-link")];
  const rowOf = (element) => element?.closest?.("tr.claim-row");
  let cursor = "";

  const current = () => {
    const focused = rowOf(document.activeElement);
    if (focused) return focused;
    return [...document.querySelectorAll("tr.claim-row")].find((row) => row.dataset.id === cursor);
  };
  const markRow = (row) => {
    for (const other of document.querySelectorAll("tr.cursor")) other.classList.remove("cursor");
    if (!row) return;
    row.classList.add("cursor");
    cursor = row.dataset.id;
  };
  const go = (step) => {
    const all = links();
    if (!all.length) return;
    const at = all.indexOf(current()?.querySelector(".claim-link"));
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1);
    all[next].focus({ preventScroll: true });
    rowOf(all[next]).scrollIntoView({ block: "nearest" });
    if (peekOpen()) showPeek(rowOf(all[next]));
  };
  document.addEventListener("focusin", (event) => {
    const row = rowOf(event.target);
    if (row) markRow(row);
    spellOut(row);
  });

  // The terms of a risk are spelt out when somebody looks at a row, or prints the list.
  const spellOut = (row) => {
    const cell = row?.querySelector("td[data-terms]");
    if (!cell || cell.querySelector(".terms")) return;
    const names = row.closest("table").dataset.terms.split("|");
    const values = cell.dataset.terms.split(" ");
    const said = names.map((name, at) => (values[at] ? `${name} ${values[at]}` : "")).filter(Boolean);
    const note = document.createElement("span");
    note.className = "terms";
    note.setAttribute("role", "note");
    note.textContent = `${cell.textContent} = ${said.join(" + ")}`;
    cell.append(note);
  };
  document.addEventListener("pointerover", (event) => spellOut(rowOf(event.target)));
  window.addEventListener("beforeprint", () => {
    for (const row of document.querySelectorAll("tr.claim-row")) spellOut(row);
  });

  const peekOpen = () => Boolean(peek?.querySelector(".peek-panel"));
  const remember = (id) => {
    const address = new URL(window.location.href);
    if (id) address.searchParams.set("peek", id);
    else address.searchParams.delete("peek");
    window.history.replaceState(window.history.state, "", address);
  };
  const showPeek = (row) => {
    if (!row || !peek) return;
    const { query: q, sort: by } = list().dataset;
    const values = { q, sort: by, at: row.dataset.id };
    // The way of htmx: the server's look at a claim goes into the pane, which itself stays.
    htmx.ajax("GET", peek.dataset.url, { source: peek, target: peek, swap: "innerHTML", values });
    remember(row.dataset.id);
  };
  const closePeek = () => {
    peek.replaceChildren();
    remember("");
    current()?.querySelector(".claim-link")?.focus();
  };

  const count = () => {
    const boxes = [...document.querySelectorAll("tr.claim-row input[name=claim]")];
    const ticked = boxes.filter((box) => box.checked).length;
    const shown = document.getElementById("ticked");
    if (shown) shown.textContent = String(ticked);
    const all = document.getElementById("tick-page");
    if (all) {
      all.checked = ticked > 0 && ticked === boxes.length;
      all.indeterminate = ticked > 0 && ticked < boxes.length;
    }
  };
  document.addEventListener("change", (event) => {
    if (event.target.id === "tick-page") {
      for (const box of document.querySelectorAll("tr.claim-row input[name=claim]")) {
        box.checked = event.target.checked;
      }
    }
    if (event.target.matches?.("[data-submit]")) event.target.form.requestSubmit();
    count();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-close-peek]")) closePeek();
    if (event.target.closest?.("[data-close-preview]") && list()) {
      event.preventDefault();
      document.getElementById("bulk-answer").replaceChildren();
      (current()?.querySelector(".claim-link") ?? query).focus();
    }
  });

  // An answer's undo works once htmx has bound it: "z" pressed sooner waits for that.
  let unbound = false;
  let wanted = false;
  const undo = () => {
    wanted = unbound;
    if (!unbound) document.querySelector("[data-undo]")?.click();
  };
  const ofBulk = (event) => event.detail.requestConfig?.target?.id === "bulk-answer";
  const bound = (event) => {
    if (!ofBulk(event)) return;
    unbound = false;
    if (wanted) undo();
  };
  document.addEventListener("htmx:beforeRequest", (event) => { unbound ||= ofBulk(event); });
  document.addEventListener("htmx:afterSettle", bound);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) bound(event); // nothing will be swapped in
  });

  const typing = (target) => target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]");
  const keys = {
    KeyJ: () => go(1),
    KeyK: () => go(-1),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    KeyX: () => {
      const box = current()?.querySelector("input[name=claim], input[data-tick]");
      if (!box) return;
      box.checked = !box.checked;
      count();
    },
    Slash: () => {
      query.focus();
      query.select();
    },
    KeyZ: () => undo(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && peekOpen() && !typing(event.target)) {
      closePeek();
      return;
    }
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    if (event.shiftKey) {
      if (event.code !== "ArrowDown" || !current()) return;
      event.preventDefault();
      showPeek(current());
      return;
    }
    const arrow = event.code.startsWith("Arrow");
    if (arrow && !rowOf(event.target)) return; // outside the rows arrows scroll
    const act = keys[event.code];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // The field of the query stays when the list changes; a chip or an error speaks to it.
  const follow = () => {
    const held = list();
    if (!held || !query) return;
    const error = held.querySelector("[data-error-at]");
    query.setAttribute("aria-invalid", String(Boolean(error)));
    if (error) {
      if (document.activeElement === query) {
        const at = Number(error.dataset.errorAt);
        query.setSelectionRange(...unitsOf(query.value, at));
      }
    } else if (document.activeElement !== query) {
      query.value = held.dataset.query;
    }
    sort.value = held.dataset.sort;
    offerCheck(held.dataset.query);
    count();
  };
  // Who looks for a check mostly wants to dismiss that one.
  const offerCheck = (text) => {
    const asked = /(?:^|\s)check:([a-z-]+)/i.exec(text)?.[1];
    const select = document.querySelector("#bulk [name=check]");
    const found = asked && [...select?.options ?? []].find(({ value }) => value.includes(asked));
    if (found) select.value = found.value;
  };
  // The server counts code points, the field UTF-16 units.
  const unitsOf = (text, at) => {
    const points = [...text];
    const start = points.slice(0, at).join("").length;
    return [start, start + (points[at]?.length ?? 0)];
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "list" || event.detail.target?.id === "list") follow();
    const answer = event.target.querySelector?.("[data-focus]");
    if (event.target.id === "bulk-answer" && answer) answer.focus();
  });
  document.addEventListener("undone", () => {
    document.getElementById("bulk-answer").replaceChildren();
    htmx.trigger(document.body, "list-changed");
  });
  follow();
})();
