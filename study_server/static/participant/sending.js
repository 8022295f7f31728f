// Sending an answer: once, again until the server has it, and never pretending it was saved.

const WAITS = [1, 2, 4, 8, 15, 30];
const PATIENCE = 20000;
const SLOW = 5000;

export function setUpSending(form, words, say, { activity, answer, draft }) {
  const submit = document.getElementById("submit");
  const again = document.getElementById("again");
  const saveWords = submit.textContent;
  let sending = false;
  let unsaved = false;
  let leaving = false;
  let tries = 0;
  let timer = 0;
  let hasImage = false;
  let sent = "";

  // Browsers that translate a page mark its root, at any moment.
  const root = document.documentElement;
  function noteTranslation() {
    if (/(^| )translated-(ltr|rtl)( |$)/.test(root.className)) form.elements.page_translated.value = "1";
  }
  new MutationObserver(noteTranslation).observe(root, { attributeFilter: ["class"] });
  noteTranslation();

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  window.addEventListener("online", () => unsaved && send());
  window.addEventListener("focus", () => unsaved && !again.hidden && rejoin());
  window.addEventListener("beforeunload", (event) => {
    if (unsaved || sending) event.preventDefault();
  });
  document.getElementById("again-go").addEventListener("click", signIn);
  document.getElementById("again-link").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    signIn();
  });

  // What becomes of an answer is said before what becomes of the image.
  function imageReady(ready, message) {
    hasImage = ready;
    submit.disabled = !ready;
    if (!unsaved && !sending && !leaving) say(ready && draft.restored ? words.draft : message);
  }

  async function send() {
    if (sending || leaving) return;
    if (!hasImage) return say(words.loading);
    const fault = answer.missing();
    if (fault) {
      answer.showError(fault[1], fault[0]);
      return;
    }
    window.clearTimeout(timer);
    sending = true;
    submit.setAttribute("aria-disabled", "true");
    renewKeyOfChanged();
    draft.save();
    form.elements.active_seconds.value = activity();
    if (!unsaved) say(words.saving);
    const slow = window.setTimeout(() => unsaved || say(words.slow), SLOW);
    const reply = await post(form.action, new URLSearchParams(new FormData(form)));
    window.clearTimeout(slow);
    sending = false;
    submit.removeAttribute("aria-disabled");
    await settle(reply);
  }

  // The reply to an earlier answer may have been lost: another answer is no repetition of it.
  function renewKeyOfChanged() {
    const told = new URLSearchParams(new FormData(form));
    for (const name of ["key", "csrf_token", "active_seconds", "page_translated"]) told.delete(name);
    if (sent && sent !== told.toString()) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      form.elements.key.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    sent = told.toString();
  }

  async function settle({ status, body }) {
    if (status === 200 && body?.next) return leave(body.next);
    if (status === 422 && body?.message) {
      unsaved = false;
      say("");
      answer.showError(body.message, body.field);
      return;
    }
    if (status === 409) {
      unsaved = false;
      draft.forget();
      say(words.notWaiting, true);
      return offerNext(body?.next ?? "/");
    }
    unsaved = true;
    submit.textContent = words.again;
    if (status === 401) return askForLink(words.signedOut);
    if (status === 400 && body?.problem === "stale" && tries < 3) {
      tries += 1;
      renewToken(body.csrf_token);
      return send();
    }
    const refused = status > 0 && status !== 429 && status < 500;
    say(status === 0 ? words.offline : refused ? words.refused : words.failing, true);
    if (refused && status !== 403) return;
    // What stands between may forbid for a while, or for want of a fresh token.
    const resend = refused ? renewAndSend : send;
    timer = window.setTimeout(resend, WAITS[Math.min(tries, WAITS.length - 1)] * 1000);
    tries += 1;
  }

  async function renewAndSend() {
    const { status, body } = await get(form.dataset.session);
    if (status === 200 && body && !body.signed_in) return askForLink(words.signedOut);
    if (body?.csrf_token) renewToken(body.csrf_token);
    await send();
  }

  function leave(address) {
    unsaved = false;
    leaving = true;
    draft.forget();
    say(words.saved);
    window.location.assign(address);
    // Whoever stopped the next page on its way can send again: it counts once.
    window.setTimeout(() => (leaving = false), PATIENCE);
  }

  function offerNext(address) {
    submit.textContent = words.goOn;
    submit.addEventListener("click", (event) => {
      event.preventDefault();
      window.location.assign(address);
    });
  }

  function askForLink(message) {
    say(message, true);
    again.hidden = false;
    document.getElementById("again-link").focus();
  }

  // Somebody may have signed in again in another tab.
  async function rejoin() {
    const { status, body } = await get(form.dataset.session);
    if (status !== 200 || !body?.signed_in) return;
    renewToken(body.csrf_token);
    again.hidden = true;
    await send();
  }

  async function signIn() {
    const fresh = await get(form.dataset.session);
    if (fresh.status !== 200) return settle(fresh);
    const link = document.getElementById("again-link").value;
    const sent = new URLSearchParams({ link, csrf_token: fresh.body.csrf_token });
    const { status } = await post(form.dataset.signIn, sent);
    const fault = { 0: words.offline, 404: words.linkUnknown, 429: words.tooMany }[status];
    if (fault) return say(fault, true);
    await rejoin();
  }

  function renewToken(token) {
    for (const field of document.querySelectorAll('[name="csrf_token"]')) field.value = token;
  }

  submit.title = saveWords;
  return { send, imageReady };
}

function post(address, body) {
  return ask(address, { method: "POST", body });
}

function get(address) {
  return ask(address, { method: "GET" });
}

async function ask(address, options) {
  try {
    const reply = await fetch(address, {
      ...options,
      headers: { Accept: "application/json" },
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const isJson = reply.headers.get("Content-Type")?.startsWith("application/json");
    return { status: reply.status, body: isJson ? await reply.json() : null };
  } catch {
    return { status: 0, body: null };
  }
}
