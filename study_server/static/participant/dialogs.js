// The instructions and the list of keys, one key away, over the page.

export function setUpDialogs() {
  const instructions = document.getElementById("instructions-dialog");
  const content = document.getElementById("instructions-content");
  const keys = document.getElementById("keys-dialog");
  const link = document.getElementById("open-instructions");

  async function showInstructions() {
    if (!content.hasChildNodes()) {
      try {
        const reply = await fetch(link.href, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        content.replaceChildren(document.importNode(page.getElementById("instructions"), true));
      } catch {
        window.open(link.href, "_blank", "noopener");
        return;
      }
    }
    instructions.showModal();
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
