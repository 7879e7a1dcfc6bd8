"""What the browser is asked to measure itself: bytes on the wire, and when a claim is painted."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

# From the moment a key went down, as the browser noted it, to the frame after what it changed:
# a message posted in an animation frame arrives when that frame has been drawn.
STOP_WATCH = """
(() => {
  let pressed = 0;
  document.addEventListener("keydown", (event) => {
    if (!["ControlLeft", "ControlRight"].includes(event.code)) pressed = event.timeStamp;
  }, true);
  const drawn = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - pressed);
    channel.port2.postMessage(0);
  }));
  window.taken = {};
  const watch = (name, event, of) => {
    window.taken[name] = new Promise((done) => {
      const heard = (said) => {
        if (!of(said)) return;
        document.removeEventListener(event, heard);
        done(name === "saved" ? performance.now() - pressed : drawn());
      };
      document.addEventListener(event, heard);
    });
  };
  window.watchChosen = () => watch("chosen", "chosen", () => true);
  window.watchSave = () => {
    watch("painted", "desk-painted", () => true);
    watch("saved", "outbox", (said) => said.detail.value === 0);
  };
})();
"""


@dataclass(slots=True)
class Transfer:
    """One answer as it came over the wire: headers and compressed body."""

    url: str
    kind: str
    size: int


class Wire:
    """Counts the answers that a page receives, as the browser's network panel does."""

    def __init__(self, page: Page) -> None:
        self.done: list[Transfer] = []
        self._begun: dict[str, dict[str, Any]] = {}
        devices = page.context.new_cdp_session(page)
        devices.send("Network.enable")
        devices.on("Network.responseReceived", self._received)
        devices.on("Network.loadingFinished", self._finished)

    def _received(self, event: dict[str, Any]) -> None:
        self._begun[event["requestId"]] = event

    def _finished(self, event: dict[str, Any]) -> None:
        begun = self._begun.pop(event["requestId"], None)
        if begun is None or begun["response"]["url"].startswith("data:"):
            return
        size = int(event["encodedDataLength"])
        self.done.append(Transfer(begun["response"]["url"], begun["type"], size))
