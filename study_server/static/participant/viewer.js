// The image: zoom, pan, a strip to find one's way, full screen; blank when it cannot be loaded.

import { setUpLoading } from "./loading.js";
import { openStrip } from "./strip.js";

const ZOOM = 1.5;
const PAN = 0.2;

export function openViewer(form, words, ready) {
  const leaf = document.getElementById("leaf");
  const frame = document.getElementById("frame");
  const plain = document.getElementById("plain");
  const place = document.getElementById("viewer");
  const strip = document.getElementById("strip");
  const tools = document.getElementById("tools");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!window.OpenSeadragon) return withoutViewer(frame, words, ready, plain);

  // Over a slow link the plain image shows what has arrived, until the whole takes its place.
  place.hidden = strip.hidden = tools.hidden = false;
  const viewer = window.OpenSeadragon({
    element: place,
    drawer: "canvas",
    showNavigationControl: false,
    showNavigator: false,
    animationTime: still ? 0 : 0.4,
    immediateRender: true,
    maxZoomPixelRatio: 4,
    minZoomImageRatio: 0.9,
    visibilityRatio: 0.6,
    homeFillsViewer: false,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
    gestureSettingsTouch: { dblClickToZoom: true, flickEnabled: !still },
    gestureSettingsPen: { clickToZoom: false, dblClickToZoom: true },
  });
  // It can be gone to, and arrows move it: it needs a name.
  viewer.canvas.setAttribute("role", "img");
  viewer.canvas.setAttribute("aria-label", plain.querySelector("img").alt);
  // Keys are ours: a held key zooms step by step, and letters choose answers.
  viewer.addHandler("canvas-key", (event) => {
    event.preventDefaultAction = true;
  });
  let address = "";
  const loading = setUpLoading(frame, words, {
    ready,
    open: (next) => {
      address = next;
      viewer.open({ type: "image", url: address, buildPyramid: false });
    },
    close: () => {
      viewer.close();
      plain.hidden = true;
    },
  });
  viewer.addHandler("open", () => {
    const item = viewer.world.getItemAt(0);
    const loaded = () => {
      plain.hidden = true;
      strip.querySelector("img").src = address;
      if (loading.arrived()) viewer.canvas.focus();
      preload(frame.dataset.next);
    };
    if (item.getFullyLoaded()) loaded();
    else item.addOnceHandler("fully-loaded-change", loaded);
  });
  // Until somebody zooms, the leaf stays fitted when the window changes.
  let touched = false;
  viewer.addHandler("zoom", () => (touched = viewer.viewport.getZoom() > viewer.viewport.getHomeZoom() * 1.01));
  viewer.addHandler("resize", () => touched || window.requestAnimationFrame(() => viewer.viewport.goHome(true)));
  openStrip(strip, viewer);
  viewer.addHandler("open-failed", loading.failed);
  viewer.addHandler("tile-load-failed", loading.failed);
  loading.begin();

  const bounds = () => viewer.viewport.getBounds(true);
  const pan = (x, y) =>
    viewer.viewport.panBy(
      new window.OpenSeadragon.Point(x * PAN * bounds().width, y * PAN * bounds().height),
      still,
    ) && viewer.viewport.applyConstraints(still);
  const acts = {
    in: () => viewer.viewport.zoomBy(ZOOM).applyConstraints(still),
    out: () => viewer.viewport.zoomBy(1 / ZOOM).applyConstraints(still),
    left: () => pan(-1, 0),
    right: () => pan(1, 0),
    up: () => pan(0, -1),
    down: () => pan(0, 1),
    fit: () => viewer.viewport.goHome(still),
    turn: () => {
      const whole = !touched;
      viewer.viewport.setRotation((viewer.viewport.getRotation() + 90) % 360, still);
      if (whole) viewer.viewport.goHome(still);
    },
    full: () => toggleLarge(leaf, tools),
  };
  tools.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act) acts[act]();
  });
  setUpReport();
  setUpAdjustments(form, place);
  // For tests and for the curious: nothing in it says more than the page.
  frame.viewer = viewer;
  return { act: (name) => acts[name]?.(), isLarge: () => leaf.classList.contains("large") };
}

function withoutViewer(frame, words, ready, plain) {
  const image = plain.querySelector("img");
  const loading = setUpLoading(frame, words, {
    ready,
    open: (address) => {
      if (address !== frame.dataset.image) image.src = address;
    },
    close: () => undefined,
  });
  const settle = () => {
    if (!image.naturalWidth) loading.failed();
    else if (loading.arrived()) plain.focus();
  };
  image.addEventListener("load", settle);
  image.addEventListener("error", settle);
  loading.begin();
  if (image.complete) settle();
  setUpReport();
  return { act: () => undefined, isLarge: () => false };
}

function preload(address) {
  if (address) new Image().src = address;
}

function toggleLarge(leaf, tools) {
  const large = leaf.classList.toggle("large");
  tools.querySelector('[data-act="full"]').setAttribute("aria-pressed", String(large));
  if (large) leaf.requestFullscreen?.().catch(() => undefined);
  else if (document.fullscreenElement) document.exitFullscreen();
  document.onfullscreenchange = () => {
    if (document.fullscreenElement || !leaf.classList.contains("large")) return;
    leaf.classList.remove("large");
    tools.querySelector('[data-act="full"]').setAttribute("aria-pressed", "false");
  };
}

function setUpReport() {
  document.getElementById("report-image")?.addEventListener("click", () => {
    const problem = document.getElementById("problem");
    problem.open = true;
    document.getElementById("kind").value = "image";
    problem.scrollIntoView();
    document.getElementById("description").focus();
  });
}

function setUpAdjustments(form, place) {
  for (const name of ["brightness", "contrast"]) {
    const slider = document.getElementById(name);
    slider?.addEventListener("input", () => {
      form.elements[name].value = slider.value;
      const value = (one) => Number(form.elements[one].value) / 100;
      place.style.filter = `brightness(${value("brightness")}) contrast(${value("contrast")})`;
    });
  }
}
