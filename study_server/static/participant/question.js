// The question page: puts its parts together. Without scripts the form works as it is.

import { watchActivity } from "./activity.js";
import { setUpDialogs } from "./dialogs.js";
import { keepDraft } from "./drafts.js";
import { setUpAnswer } from "./answer.js";
import { setUpKeys } from "./keys.js";
import { setUpSending } from "./sending.js";
import { setUpTranscription } from "./transcription.js";
import { openViewer } from "./viewer.js";

const form = document.getElementById("answer-form");
const words = document.getElementById("messages").dataset;
const status = document.getElementById("state");

form.dataset.scripts = "yes";

// A sentence that stands there already is not read out again.
function say(message, bad = false) {
  if (status.textContent !== message) status.textContent = message;
  status.classList.toggle("bad", bad);
}

// A page from the browser's memory may show a question that was answered since.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

const activity = watchActivity(Number(form.dataset.idle));
const answer = setUpAnswer(form, words, say);
const draft = keepDraft(form);
setUpTranscription(form);
const sending = setUpSending(form, words, say, { activity, answer, draft });
const viewer = openViewer(form, words, sending.imageReady);
const dialogs = setUpDialogs();
setUpKeys(form, { viewer, dialogs, answer, send: sending.send });
