/* "[" and "]" go to the previous and the next change. */
const rows = [...document.querySelectorAll("[data-change]")];
const field = (target) => target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  const by = { BracketLeft: -1, BracketRight: 1 }[event.code];
  if (!by || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (field(event.target) || !rows.length) return;
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "center" });
});
