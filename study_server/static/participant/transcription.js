// Transcribing: marks at a click, any code point, vertical writing, and how it will be read.

import { read, write } from "./drafts.js";
import { codePointName, missingGlyphs } from "./glyphs.js";

const PAUSE = 400;
const MOST_NAMED = 12;
const DIRECTION = "lontar-direction";

export function setUpTranscription(form) {
  const text = document.getElementById("text");
  if (!text) return;
  const palette = document.getElementById("palette");
  palette.hidden = false;
  palette.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-insert]")?.dataset.insert;
    if (mark) insert(text, mark);
  });
  nameSigns(palette);
  setUpCodePoints(text);
  setUpDirection(text);
  let timer = 0;
  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => look(form, text), PAUSE);
  };
  // What an input method has not settled yet is not looked at.
  text.addEventListener("input", (event) => event.isComposing || later());
  text.addEventListener("compositionend", later);
  if (text.value) later();
}

// A button whose sign no font shows is still told by its code point.
function nameSigns(palette) {
  for (const button of palette.querySelectorAll("[data-insert]")) {
    const signs = Array.from(button.dataset.insert);
    const named = signs.filter((one) => one > "~").map(codePointName);
    if (named.length === signs.length) button.title += ` (${named.join(" ")})`;
  }
}

// The direction that was chosen stays for the next texts, in this browser.
function setUpDirection(text) {
  const vertical = document.getElementById("vertical");
  const turn = (on) => {
    text.classList.toggle("vertical", on);
    vertical.setAttribute("aria-pressed", String(on));
  };
  const chosen = read(DIRECTION);
  if (chosen) turn(chosen === "vertical");
  vertical.addEventListener("click", () => {
    turn(!text.classList.contains("vertical"));
    write(DIRECTION, text.classList.contains("vertical") ? "vertical" : "horizontal");
  });
}

function setUpCodePoints(text) {
  const field = document.getElementById("code-point");
  const enter = () => {
    const characters = readCodePoints(field.value);
    field.setAttribute("aria-invalid", String(!characters));
    if (!characters) return;
    field.value = "";
    insert(text, characters);
  };
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"));
  document.getElementById("insert-code-point").addEventListener("click", enter);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Never the form's own Enter, which would save.
    event.preventDefault();
    if (!event.isComposing && event.keyCode !== 229) enter();
  });
}

// "U+20BB7", "20bb7", "\u{20BB7}", "&#x20BB7;", several after blanks; nothing when one is none.
function readCodePoints(written) {
  const parts = written.trim().split(/[\s,]+/);
  const characters = parts.map((part) => {
    const found = /^(?:U\+|0x|\\u|&#x)?\{?([0-9a-f]{2,6})\}?;?$/i.exec(part);
    const number = found ? Number.parseInt(found[1], 16) : Number.NaN;
    const usable = number >= 0x20 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
    return usable ? String.fromCodePoint(number) : null;
  });
  return characters.includes(null) ? null : characters.join("");
}

function insert(text, mark) {
  const start = text.selectionStart;
  const end = text.selectionEnd;
  const pair = /^(<[^/>]+>|（|\()(<\/[^>]+>|）|\))$/u.exec(mark);
  const chosen = text.value.slice(start, end);
  const inserted = pair ? pair[1] + chosen + pair[2] : mark;
  text.focus();
  // As if typed, so that it can be undone; where a browser does not do that, it is put in.
  if (!document.execCommand("insertText", false, inserted)) {
    text.setRangeText(inserted, start, end, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (pair && !chosen) text.setSelectionRange(start + pair[1].length, start + pair[1].length);
}

async function look(form, text) {
  const line = document.getElementById("preview-line");
  const body = new URLSearchParams({ answer: text.value, csrf_token: form.elements.csrf_token.value });
  warnOfMissing(text);
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

async function warnOfMissing(text) {
  const place = document.getElementById("missing-glyphs");
  const missing = await missingGlyphs(text.value, window.getComputedStyle(text).fontFamily);
  const named = missing.slice(0, MOST_NAMED).map(codePointName).join(", ");
  const more = missing.length > MOST_NAMED ? `, … (${missing.length})` : "";
  place.hidden = !missing.length;
  place.textContent = missing.length ? place.dataset.words + named + more : "";
}
