/* The import pages: dropping a file, packing a folder, how far an upload is, examples of keys. */
(() => {
  "use strict";

  document.documentElement.classList.add("scripted");

  const sizeOf = (bytes) => {
    const units = ["B", "KB", "MB", "GB"];
    let step = 0;
    let value = bytes;
    while (value >= 1024 && step < units.length - 1) {
      value /= 1024;
      step += 1;
    }
    return `${value.toLocaleString(undefined, { maximumFractionDigits: step ? 1 : 0 })} ${units[step]}`;
  };

  const form = () => document.getElementById("upload");
  const input = () => form()?.querySelector("input[name=file]");
  const tell = (text) => {
    const line = form()?.querySelector("[data-chosen]");
    if (!line) return;
    line.hidden = !text;
    line.textContent = text;
  };
  const choose = (file) => {
    const held = new DataTransfer();
    held.items.add(file);
    input().files = held.files;
    tell(`${file.name} · ${sizeOf(file.size)}`);
  };

  const showFolder = () => {
    const folder = form()?.querySelector("[data-folder]");
    if (folder) folder.hidden = false;
  };
  showFolder();
  document.addEventListener("htmx:afterSettle", showFolder);

  /* A zip whose members are stored as they are: enough to send a folder as one file. */
  const table = new Uint32Array(256).map((_, number) => {
    let value = number;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  const crcOf = async (file) => {
    let crc = 0xffffffff;
    const reader = file.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return (crc ^ 0xffffffff) >>> 0;
      for (const byte of value) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
    }
  };
  const MOST_FILES = 60000;
  const MOST_BYTES = 2 ** 31;
  const DAY = (1 << 5) | 1 | ((2020 - 1980) << 9);
  const header = (signature, name, size, crc, more) => {
    const view = new DataView(new ArrayBuffer(more ? 46 : 30));
    let at = 0;
    const put = (bytes, value) => {
      if (bytes === 4) view.setUint32(at, value, true);
      else view.setUint16(at, value, true);
      at += bytes;
    };
    put(4, signature);
    if (more) put(2, 20);
    for (const value of [20, 0x0800, 0, 0, DAY]) put(2, value);
    for (const value of [crc, size, size]) put(4, value);
    put(2, name.length);
    put(2, 0);
    if (more) {
      for (const value of [0, 0, 0]) put(2, value);
      put(4, 0);
      put(4, more.offset);
    }
    return [view.buffer, name];
  };
  const pack = async (files, root) => {
    const parts = [];
    const central = [];
    let offset = 0;
    for (const file of files) {
      const path = file.webkitRelativePath.split("/").slice(1).join("/") || file.name;
      const name = new TextEncoder().encode(path);
      const crc = await crcOf(file);
      parts.push(...header(0x04034b50, name, file.size, crc), file);
      central.push(...header(0x02014b50, name, file.size, crc, { offset }));
      offset += 30 + name.length + file.size;
    }
    const length = new Blob(central).size;
    const end = new DataView(new ArrayBuffer(22));
    end.setUint32(0, 0x06054b50, true);
    end.setUint16(8, files.length, true);
    end.setUint16(10, files.length, true);
    end.setUint32(12, length, true);
    end.setUint32(16, offset, true);
    return new File([...parts, ...central, end.buffer], `${root}.zip`, { type: "application/zip" });
  };
  const takeFolder = async (picker) => {
    const place = picker.closest("[data-folder]");
    const files = [...picker.files];
    if (!files.length) return;
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    if (files.length > MOST_FILES || bytes > MOST_BYTES) {
      tell(place.dataset.tooMany);
      return;
    }
    tell(place.dataset.packing);
    const root = files[0].webkitRelativePath.split("/")[0] || "report";
    choose(await pack(files, root));
  };

  document.addEventListener("change", (event) => {
    if (event.target.id === "folder") {
      takeFolder(event.target);
    } else if (event.target === input()) {
      const file = event.target.files[0];
      tell(file ? `${file.name} · ${sizeOf(file.size)}` : "");
    }
  });

  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const zone = event.target.closest?.("[data-drop]");
      if (!zone) return;
      event.preventDefault();
      zone.classList.toggle("over", kind === "dragenter" || kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) choose(event.dataTransfer.files[0]);
    });
  }

  document.addEventListener("htmx:xhr:progress", (event) => {
    const line = event.target.querySelector?.("[data-sent]");
    if (!line || !event.detail.lengthComputable) return;
    const { loaded, total } = event.detail;
    line.hidden = false;
    line.querySelector("progress").value = Math.floor((loaded * 100) / total);
    line.querySelector(".figures").textContent = `${sizeOf(loaded)} / ${sizeOf(total)}`;
  });

  /* Beside each of our fields stand values of the key that is typed for it. */
  const mapping = document.querySelector("[data-mapping]");
  const known = JSON.parse(document.getElementById("known-keys")?.textContent ?? "{}");
  const records = mapping?.querySelector("[name=records]");
  records?.setAttribute("list", "lists");
  const keysNow = () => known[records.value.trim()] ?? known[`${records.value.trim()}[]`] ?? {};
  mapping?.addEventListener("input", (event) => {
    if (event.target === records) {
      const list = document.getElementById("keys");
      list.replaceChildren(...Object.keys(keysNow()).map((key) => new Option("", key)));
      return;
    }
    const cell = mapping.querySelector(`[data-examples-of="${CSS.escape(event.target.name)}"]`);
    const values = keysNow()[event.target.value.trim()];
    if (!cell) return;
    const lines = (values ?? []).map((value) => {
      const line = document.createElement("div");
      line.className = "one-line";
      line.dir = "auto";
      line.title = value;
      line.textContent = value;
      return line;
    });
    cell.replaceChildren(...(lines.length ? lines : ["–"]));
  });
})();
