/* What every page shares: the token of forms, the sign-in dialog, what is said, the outbox.

   Events that pages may send on document or let the server send by HX-Trigger:
     say          detail: text, or {value: text}   one quiet line in the footer
     outbox       detail: number                   things not yet saved; asks before leaving
     session-ended                                 opens the sign-in dialog
   Event that pages may hear on document:
     signed-in    after the dialog; requests made by htmx are sent again by themselves
*/
(() => {
  "use strict";

  const body = document.body;
  const dialog = document.getElementById("sign-in-dialog");
  const notices = document.getElementById("notices");
  const said = document.getElementById("said");
  const outbox = document.getElementById("outbox");
  const ime = document.getElementById("ime");

  const valueOf = (event) =>
    event.detail !== null && typeof event.detail === "object" && "value" in event.detail
      ? event.detail.value
      : event.detail;

  // The token changes at sign-in, also when that happened in another tab: the cookie is current.
  const token = () => {
    const name = `${body.dataset.csrfCookie}=`;
    const found = document.cookie.split("; ").find((part) => part.startsWith(name));
    return found ? found.slice(name.length) : "";
  };
  document.addEventListener("htmx:configRequest", (event) => {
    const current = token();
    if (!current) return;
    event.detail.headers["X-CSRFToken"] = current;
    event.detail.headers["X-Client-Time"] = new Date().toISOString();
    delete event.detail.parameters.csrfmiddlewaretoken;
  });
  document.addEventListener("submit", (event) => {
    const field = event.target.elements?.namedItem("csrfmiddlewaretoken");
    const current = token();
    if (field && current) field.value = current;
  }, true);

  const showNotice = (text) => {
    const box = document.createElement("div");
    box.className = "notice notice-error";
    const line = document.createElement("p");
    line.textContent = text;
    box.append(line);
    notices.replaceChildren(box);
  };
  notices?.addEventListener("click", () => notices.replaceChildren());

  // 409 and 422 are answers of the form itself; other faults are shown apart from the page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (xhr.status < 400) {
      if (event.detail.target !== notices) notices.replaceChildren();
      return;
    }
    event.detail.isError = ![409, 422].includes(xhr.status);
    if (!event.detail.isError) {
      event.detail.shouldSwap = true;
    } else if (xhr.status === 429 && dialog.contains(event.detail.target)) {
      event.detail.shouldSwap = true;
    } else if (xhr.status !== 401) {
      event.detail.shouldSwap = true;
      event.detail.target = notices;
      event.detail.swapOverride = "innerHTML"; // the way of htmx: the box stays, its notice changes
      event.detail.selectOverride = "unset";
    }
  });
  document.addEventListener("htmx:sendError", () => showNotice(body.dataset.offline));
  document.addEventListener("htmx:timeout", () => showNotice(body.dataset.offline));

  // A session that ended: sign in here, then send again what was refused.
  let refused = [];
  let opener = null;
  const openDialog = () => {
    if (dialog.open) return;
    opener = document.activeElement;
    dialog.showModal();
    // The way of htmx: a form of the server's goes into the dialog, which itself stays open.
    htmx.ajax("GET", body.dataset.signIn, { target: dialog, swap: "innerHTML" });
  };
  dialog?.addEventListener("htmx:afterSettle", () => {
    const name = dialog.querySelector("[name=username]");
    if (name && !name.value) name.value = body.dataset.userName;
    dialog.querySelector(name?.value ? "[name=password]" : "[name=username]")?.focus();
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status !== 401) return;
    refused.push(event.detail.requestConfig);
    openDialog();
  });
  document.addEventListener("session-ended", openDialog);
  dialog?.addEventListener("close", () => {
    refused = [];
    opener?.focus?.();
  });
  document.addEventListener("signed-in", (event) => {
    const user = String(event.detail?.user ?? "");
    if (event.target !== document) {
      event.stopPropagation();
      const again = refused;
      dialog.close();
      // Another person must not send what the first one wrote.
      if (user !== body.dataset.user) {
        window.location.reload();
        return;
      }
      document.dispatchEvent(new CustomEvent("signed-in", { detail: { user } }));
      for (const request of again) {
        htmx.ajax(request.verb.toUpperCase(), request.path, {
          source: request.elt,
          target: request.target,
          values: request.formData ?? request.parameters,
        });
      }
    }
  });

  document.addEventListener("say", (event) => {
    if (said) said.textContent = valueOf(event);
  });
  let waiting = 0;
  document.addEventListener("outbox", (event) => {
    waiting = Number(valueOf(event)) || 0;
    if (!outbox) return;
    outbox.querySelector("b").textContent = String(waiting);
    outbox.classList.toggle("waiting", waiting > 0);
  });
  window.addEventListener("beforeunload", (event) => {
    if (waiting > 0) event.preventDefault();
  });

  // An input method that is on swallows letters: say so, as shortcuts go by the key's place.
  document.addEventListener("keydown", (event) => {
    if (!ime) return;
    if (event.isComposing || event.key === "Process" || event.keyCode === 229) ime.hidden = false;
    else if (event.key.length === 1) ime.hidden = true;
  }, true);

  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(except)) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => closeMenus(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = event.target.closest?.("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
  });
})();
