// The keyboard: digits and letters choose, Enter saves, a few signs move the image.
// Who speaks to a computer, or strikes keys by chance, turns single keys off; the browser remembers.

const KEPT = "lontar-single-keys";
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export function setUpKeys(form, { viewer, dialogs, answer, send }) {
  const isOn = setUpSwitch();
  document.addEventListener("keydown", (event) => {
    // An input method is choosing characters: its keys are none of ours (229 is Safari's last one).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (isSend && form.contains(event.target)) stop(event, send);
      return;
    }
    if (dialogs.isOpen()) return;
    const typing = isTyping(event.target);
    if (event.key === "Enter") return enter(event, typing);
    if (typing || (event.key.length === 1 && !isOn())) return;
    const action = actionOf(event);
    if (action) stop(event, action);
  });

  function enter(event, typing) {
    const target = event.target;
    const acts = target.closest("button, a, summary, select, textarea, .beside, .again");
    if (acts || (typing && target.id === "filter") || target.id === "code-point") return;
    stop(event, send);
  }

  function actionOf(event) {
    const { key } = event;
    if (key === "?") return dialogs.keys;
    if (key === "i") return dialogs.instructions;
    if (key === "f") return () => viewer.act("full");
    if (key === "r") return () => viewer.act("turn");
    if (key === "+" || key === "=") return () => viewer.act("in");
    if (key === "-" || key === "−") return () => viewer.act("out");
    if (key === "Home") return () => viewer.act("fit");
    if (key === "Escape" && viewer.isLarge()) return () => viewer.act("full");
    const onImage = event.target.closest?.("#leaf");
    if (key in ARROWS && (event.shiftKey || onImage)) return () => viewer.act(ARROWS[key]);
    if (answer.count && /^\d$/.test(key)) return () => typeDigit(answer.count, key);
    if (key.length === 1 && !event.shiftKey && form.querySelector(`.option[data-key="${CSS.escape(key)}"]`)) {
      return () => answer.choose(key);
    }
    return null;
  }
}

function setUpSwitch() {
  const box = document.getElementById("keys-on");
  const show = () => document.body.classList.toggle("keys-off", !box.checked);
  box.checked = kept() !== "off";
  show();
  box.addEventListener("change", () => {
    keep(box.checked ? "on" : "off");
    show();
  });
  return () => box.checked;
}

// A browser may forbid storage: then the choice lasts for this page.
function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
function keep(choice) {
  try {
    localStorage.setItem(KEPT, choice);
  } catch {
    // Full or forbidden.
  }
}

function typeDigit(count, digit) {
  count.focus();
  count.value = digit;
  count.dispatchEvent(new Event("input", { bubbles: true }));
}

function stop(event, act) {
  event.preventDefault();
  act();
}

function isTyping(element) {
  if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
  return element.tagName === "INPUT" && !["radio", "checkbox", "range", "button"].includes(element.type);
}
