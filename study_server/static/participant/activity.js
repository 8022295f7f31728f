// Active time: the page is visible, has the focus, and somebody did something not long ago.

const TICK = 500;
const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart", "scroll"];

export function watchActivity(idleSeconds) {
  let seconds = 0;
  let seen = performance.now();
  let last = performance.now();
  const isActive = (now) =>
    document.visibilityState === "visible" && document.hasFocus() && now - seen <= idleSeconds * 1000;
  for (const sign of SIGNS) {
    document.addEventListener(sign, () => (seen = performance.now()), { passive: true, capture: true });
  }
  const tick = () => {
    const now = performance.now();
    // A sleeping computer makes one long tick: it counts as an ordinary one.
    if (isActive(now)) seconds += Math.min(now - last, 2 * TICK) / 1000;
    last = now;
  };
  window.setInterval(tick, TICK);
  return () => {
    tick();
    return Math.max(0, seconds).toFixed(2);
  };
}
