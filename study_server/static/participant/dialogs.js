// The instructions and the list of keys, one key away, over the page.

const PATIENCE = 8000;

export function setUpDialogs() {
  const instructions = document.getElementById("instructions-dialog");
  const content = document.getElementById("instructions-content");
  const state = document.getElementById("instructions-state");
  const keys = document.getElementById("keys-dialog");
  const link = document.getElementById("open-instructions");
  let loading = false;

  // Over a slow link it opens at once and fills later: never unasked, over something else.
  async function showInstructions() {
    instructions.showModal();
    if (loading || content.hasChildNodes()) return;
    loading = true;
    state.textContent = state.dataset.loading;
    try {
      const reply = await fetch(link.href, {
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE),
      });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      content.replaceChildren(document.importNode(page.getElementById("instructions"), true));
      state.textContent = "";
    } catch {
      state.textContent = state.dataset.failed;
    }
    loading = false;
  }

  link?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showInstructions();
  });
  for (const button of document.querySelectorAll(".open-keys")) {
    button.hidden = false;
    button.addEventListener("click", () => keys.showModal());
  }
  return {
    instructions: () => link && showInstructions(),
    keys: () => keys.showModal(),
    isOpen: () => instructions.open || keys.open,
  };
}
