// Until the other scripts have come, and if one never does: answers are taken once the image is whole.

const form = document.getElementById("answer-form");
const image = document.querySelector("#plain img");

function hold() {
  if (form.dataset.scripts) return;
  const isWhole = image.complete && image.naturalWidth > 0;
  document.getElementById("submit").disabled = !isWhole;
  if (isWhole) document.getElementById("state").textContent = "";
}

image.addEventListener("load", hold);
hold();
