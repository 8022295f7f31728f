// Transcribing: marks at a click, any code point, vertical writing, and how it will be read.

const PAUSE = 400;

export function setUpTranscription(form) {
  const text = document.getElementById("text");
  if (!text) return;
  const palette = document.getElementById("palette");
  const vertical = document.getElementById("vertical");
  palette.hidden = false;
  palette.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-insert]")?.dataset.insert;
    if (mark) insert(text, mark);
  });
  const codePoint = document.getElementById("code-point");
  const insertCodePoint = () => {
    const found = /^\s*(?:U\+|0x|\\u)?\{?([0-9a-f]{2,6})\}?\s*$/i.exec(codePoint.value);
    const number = found ? Number.parseInt(found[1], 16) : Number.NaN;
    const usable = number >= 0x20 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
    codePoint.setAttribute("aria-invalid", String(!usable));
    if (!usable) return;
    insert(text, String.fromCodePoint(number));
    codePoint.value = "";
  };
  document.getElementById("insert-code-point").addEventListener("click", insertCodePoint);
  codePoint.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    insertCodePoint();
  });
  vertical.addEventListener("click", () => {
    const on = text.classList.toggle("vertical");
    vertical.setAttribute("aria-pressed", String(on));
  });
  let timer = 0;
  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => look(form, text), PAUSE);
  };
  text.addEventListener("input", later);
  if (text.value) later();
}

function insert(text, mark) {
  const start = text.selectionStart;
  const end = text.selectionEnd;
  const pair = /^(<[^/>]+>|（|\()(<\/[^>]+>|）|\))$/u.exec(mark);
  const chosen = text.value.slice(start, end);
  const inserted = pair ? pair[1] + chosen + pair[2] : mark;
  text.setRangeText(inserted, start, end, "end");
  if (pair && !chosen) text.setSelectionRange(start + pair[1].length, start + pair[1].length);
  text.focus();
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

async function look(form, text) {
  warnOfMissing(text.value);
  const line = document.getElementById("preview-line");
  const body = new URLSearchParams({ answer: text.value, csrf_token: form.elements.csrf_token.value });
  try {
    const reply = await fetch(form.dataset.preview, {
      method: "POST",
      body,
      headers: { Accept: "application/json" },
    });
    if (!reply.ok) return;
    const read = await reply.json();
    document.getElementById("preview").textContent = read.text;
    const words = document.getElementById("messages").dataset.characters;
    document.getElementById("preview-count").textContent = words.replace("#", read.characters);
    line.hidden = false;
  } catch {
    line.hidden = true;
  }
}

// A character that no font has is drawn as the same box as one that cannot exist.
function warnOfMissing(value) {
  const place = document.getElementById("missing-glyphs");
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.font = `24px ${window.getComputedStyle(document.getElementById("text")).fontFamily}`;
  const drawn = (character) => {
    pen.clearRect(0, 0, 32, 32);
    pen.fillText(character, 2, 26);
    return pen.getImageData(0, 0, 32, 32).data.join();
  };
  const rare = [...new Set(Array.from(value))].filter((one) => one.codePointAt(0) > 0x2e7f);
  const boxes = new Set([drawn("\u{10fffd}"), drawn("\u{3fffd}"), drawn("\uffff")]);
  const missing = rare.filter((one) => boxes.has(drawn(one)));
  place.hidden = !missing.length;
  place.textContent = missing.length
    ? place.dataset.words + missing.map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase()}`).join(", ")
    : "";
}
