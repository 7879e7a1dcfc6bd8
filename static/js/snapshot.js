/* The page of one snapshot: a place named in the address, and search. */
import * as source from "./source.js";

const place = /^#c(\d+)-(\d+)$/.exec(window.location.hash);
const address = new URL(window.location.href);
if (place && address.searchParams.get("at") !== `${place[1]}-${place[2]}`) {
  address.searchParams.set("at", `${place[1]}-${place[2]}`);
  window.location.replace(address);
}
source.startReader();
source.painted();
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select, dialog[open]")) {
    if (event.code === "Escape") document.querySelector(".reader-scroll").focus();
    return;
  }
  if (event.code === "KeyF" || event.code === "Slash") {
    event.preventDefault();
    source.focusFind();
  }
});
