// Drafts: what was entered stays in this browser until the server has it.

const PREFIX = "lontar:";
const OLD = 30 * 24 * 3600 * 1000;

export function keepDraft(form) {
  const place = `${PREFIX}${form.dataset.study}:${form.elements.slot.value}`;
  forgetOld();
  const fields = () => [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit");

  function save() {
    const entered = { key: form.elements.key.value, at: Date.now(), ticked: [], typed: {} };
    for (const field of fields()) {
      if (field.type === "radio" || field.type === "checkbox") {
        if (field.checked) entered.ticked.push([field.name, field.value]);
      } else if (field.value) {
        entered.typed[field.name] = field.value;
      }
    }
    write(place, JSON.stringify(entered));
  }

  const kept = parse(read(place));
  const untouched = fields().every((field) =>
    field.type === "radio" || field.type === "checkbox" ? !field.checked : !field.value,
  );
  let restored = false;
  if (kept && untouched) {
    // The same key, so that an answer whose reply was lost is recognised.
    form.elements.key.value = kept.key;
    const ticked = new Set(kept.ticked.map((pair) => JSON.stringify(pair)));
    for (const field of fields()) {
      if (field.type === "radio" || field.type === "checkbox") {
        field.checked = ticked.has(JSON.stringify([field.name, field.value]));
      } else if (field.name in kept.typed) {
        field.value = kept.typed[field.name];
      }
    }
    restored = kept.ticked.length + Object.keys(kept.typed).length > 0;
  }
  form.addEventListener("input", save);
  form.addEventListener("change", save);
  return { restored, save, forget: () => remove(place) };
}

function forgetOld() {
  for (const name of names()) {
    const kept = parse(read(name));
    if (!kept || Date.now() - kept.at > OLD) remove(name);
  }
}

// A browser may forbid storage: then there are no drafts, and nothing else changes.
function names() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}
export function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
export function write(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Full or forbidden.
  }
}
function remove(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Forbidden.
  }
}
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
