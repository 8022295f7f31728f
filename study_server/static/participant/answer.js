// The answer controls: exclusive options, the filter, the steppers, and what is still missing.

export function setUpAnswer(form, words, say) {
  const boxes = [...form.querySelectorAll(".options input")];
  const count = document.getElementById("count");
  const error = document.getElementById("answer-error");
  setUpExclusive(boxes, words, say);
  setUpFilter(form);
  if (count) setUpSteps(form, count);
  form.addEventListener("input", () => showError(""));

  function showError(message, field = "answer") {
    const place = document.getElementById(`${field}-error`) ?? error;
    place.textContent = message;
    place.hidden = !message;
    const control = form.querySelector(`fieldset.options, #count, #text`);
    if (field === "answer") control?.toggleAttribute("aria-invalid", false);
    if (!message) return;
    if (field === "answer") control?.setAttribute("aria-invalid", "true");
    const first = form.querySelector(`[name="${field}"]`);
    first?.focus();
    first?.scrollIntoView({ block: "nearest" });
  }

  function missing() {
    if (boxes.length && !boxes.some((box) => box.checked)) return ["answer", words.choose];
    if (count) {
      const message = countFault(count, words);
      if (message) return ["answer", message];
    }
    const text = document.getElementById("text");
    if (text && !text.value.trim() && !form.elements.unreadable.checked) return ["answer", words.type];
    const sure = form.querySelectorAll('[name="confidence"]');
    if (sure.length && ![...sure].some((one) => one.checked)) return ["confidence", words.sure];
    return null;
  }

  function choose(key) {
    const option = form.querySelector(`.option[data-key="${CSS.escape(key)}"]:not([hidden]) input`);
    if (!option) return false;
    option.focus();
    option.click();
    return true;
  }

  return { showError, missing, choose, count };
}

function setUpExclusive(boxes, words, say) {
  for (const box of boxes) {
    if (box.type !== "checkbox") continue;
    box.addEventListener("change", () => {
      if (!box.checked) return;
      const alone = "exclusive" in box.dataset;
      const others = boxes.filter(
        (other) => other !== box && other.checked && (alone || "exclusive" in other.dataset),
      );
      for (const other of others) other.checked = false;
      if (others.length) say(alone ? words.cleared : words.clearedAlone);
    });
  }
}

function setUpFilter(form) {
  const filter = document.getElementById("filter");
  if (!filter) return;
  filter.parentElement.hidden = false;
  const counter = document.getElementById("filter-count");
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  filter.addEventListener("input", (event) => {
    event.stopPropagation();
    const wanted = plain(filter.value.trim());
    let shown = 0;
    for (const option of form.querySelectorAll(".option")) {
      const found = plain(option.textContent).includes(wanted) || option.querySelector("input").checked;
      option.hidden = !found;
      shown += found ? 1 : 0;
    }
    counter.textContent = counter.dataset.words.replace("#", shown);
  });
}

function setUpSteps(form, count) {
  const step = (by) => {
    const low = Number(count.dataset.min);
    const high = "max" in count.dataset ? Number(count.dataset.max) : Infinity;
    const now = /^\s*[+-]?\d+\s*$/.test(count.value) ? Number(count.value) + by : Math.max(low, 0);
    count.value = String(Math.min(high, Math.max(low, now)));
    count.dispatchEvent(new Event("input", { bubbles: true }));
  };
  for (const button of form.querySelectorAll(".step")) {
    button.hidden = false;
    button.addEventListener("click", () => step(Number(button.dataset.step)));
  }
  count.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if (event.shiftKey) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? 1 : -1);
  });
}

function countFault(count, words) {
  // Digits of any script are a number to the server, so leave those to it.
  if (!count.value.trim()) return words.wholeNumber;
  if (!/^\s*[+-]?\p{Nd}+\s*$/u.test(count.value)) return words.wholeNumber;
  const number = Number(count.value);
  if (Number.isNaN(number)) return "";
  const low = Number(count.dataset.min);
  if ("max" in count.dataset) {
    const high = Number(count.dataset.max);
    if (number < low || number > high) return words.range.replace("{low}", low).replace("{high}", high);
  }
  return number < low ? words.atLeast.replace("{low}", low) : "";
}
