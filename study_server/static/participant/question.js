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

export function say(message, bad = false) {
  status.textContent = message;
  status.classList.toggle("bad", bad);
}

// A page from the browser's memory may show a question that was answered since.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

const activity = watchActivity(Number(form.dataset.idle));
const answer = setUpAnswer(form, words, say);
const draft = keepDraft(form, () => say(words.draft));
setUpTranscription(form);
const sending = setUpSending(form, words, say, { activity, answer, draft });
const viewer = openViewer(form, words, { say, ready: sending.imageReady });
const dialogs = setUpDialogs();
setUpKeys(form, { viewer, dialogs, answer, send: sending.send });
