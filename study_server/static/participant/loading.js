// The image on its way: over a bad link it is tried again by itself, and words say where it is.

const WAITS = [2, 4, 8, 15, 30];
const LONG = 30000;

export function setUpLoading(frame, words, { ready, open, close }) {
  const fault = document.getElementById("fault");
  const late = document.getElementById("late");
  const address = frame.dataset.image;
  let tries = 0;
  let timer = 0;

  function begin() {
    ready(false, words.loading);
    timer = window.setTimeout(() => {
      late.hidden = false;
      ready(false, words.slow);
    }, LONG);
    open(address);
  }

  function arrived() {
    window.clearTimeout(timer);
    tries = 0;
    const hadFocus = [fault, late].some((one) => one.contains(document.activeElement));
    fault.hidden = late.hidden = true;
    frame.dataset.shown = "yes";
    ready(true, words.imageLoaded);
    return hadFocus;
  }

  // The fault stays while it is tried again: an alert that comes and goes is read out each time.
  function failed() {
    close();
    delete frame.dataset.shown;
    fault.hidden = false;
    late.hidden = true;
    ready(false, "");
    wait(WAITS[Math.min(tries, WAITS.length - 1)] * 1000);
    tries += 1;
  }

  function wait(time) {
    window.clearTimeout(timer);
    timer = window.setTimeout(again, time);
  }

  // A fragment lets the browser go on where it was cut off; now and then anew, lest it kept a bad copy.
  function again() {
    wait(2 * LONG);
    open(`${address}${tries % 4 ? "#" : "?again="}${Date.now()}`);
  }

  window.addEventListener("online", () => frame.dataset.shown || again());
  document.getElementById("reload-image").addEventListener("click", () => {
    ready(false, words.loading);
    again();
  });
  document.getElementById("reload-page").addEventListener("click", () => window.location.reload());
  return { begin, arrived, failed };
}
