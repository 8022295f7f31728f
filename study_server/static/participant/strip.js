// The strip: the whole leaf in small, with a window that shows which part is in view.

export function openStrip(strip, viewer) {
  const image = strip.querySelector("img");
  const pane = strip.querySelector("span");

  function show() {
    if (!viewer.world.getItemCount()) return;
    const size = viewer.world.getItemAt(0).getContentSize();
    pane.parentElement.style.setProperty("--ratio", size.x / size.y);
    const view = viewer.viewport.viewportToImageRectangle(viewer.viewport.getBounds(true));
    const clamp = (value) => Math.min(1, Math.max(0, value));
    const left = clamp(view.x / size.x);
    const top = clamp(view.y / size.y);
    const right = clamp((view.x + view.width) / size.x);
    const bottom = clamp((view.y + view.height) / size.y);
    pane.style.left = `${left * 100}%`;
    pane.style.top = `${top * 100}%`;
    pane.style.width = `${(right - left) * 100}%`;
    pane.style.height = `${(bottom - top) * 100}%`;
    strip.classList.toggle("whole", right - left > 0.99 && bottom - top > 0.99);
  }

  function go(event) {
    if (event.buttons !== 1 && event.type !== "pointerdown") return;
    const box = image.getBoundingClientRect();
    const size = viewer.world.getItemAt(0)?.getContentSize();
    if (!size) return;
    const at = viewer.viewport.imageToViewportCoordinates(
      ((event.clientX - box.left) / box.width) * size.x,
      ((event.clientY - box.top) / box.height) * size.y,
    );
    viewer.viewport.panTo(at).applyConstraints();
  }

  strip.addEventListener("pointerdown", go);
  strip.addEventListener("pointermove", go);
  viewer.addHandler("update-viewport", show);
  viewer.addHandler("resize", show);
  viewer.addHandler("open", show);
}
