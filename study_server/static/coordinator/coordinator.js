/* Keeps the live parts fresh: an unchanged answer costs a 304, a hidden page asks nothing. */
(() => {
  "use strict";

  const offline = () => document.querySelector("[data-offline]");
  const updated = () => document.querySelector("[data-updated]");

  document.addEventListener("htmx:config:request", (event) => {
    const etag = event.target.dataset && event.target.dataset.etag;
    if (etag) {
      event.detail.ctx.request.headers["If-None-Match"] = etag;
    }
  });

  document.addEventListener("htmx:before:request", (event) => {
    if (document.hidden && event.target.dataset && event.target.dataset.etag) {
      event.preventDefault();
    }
  });

  document.addEventListener("htmx:after:request", (event) => {
    const response = event.detail.ctx.response;
    if (!event.target.dataset || !event.target.dataset.etag || !response) {
      return;
    }
    if (response.status === 403 || response.status === 401) {
      event.preventDefault();
      window.location.reload();
      return;
    }
    if (response.status >= 400) {
      event.preventDefault();
      offline().hidden = false;
      return;
    }
    const etag = response.headers.get("ETag");
    if (etag) {
      event.target.dataset.etag = etag;
    }
    if (offline()) {
      offline().hidden = true;
    }
    if (updated()) {
      updated().textContent = `Up to date at ${new Date().toLocaleString()}.`;
    }
  });

  document.addEventListener("htmx:error", () => {
    if (offline()) {
      offline().hidden = false;
    }
  });
})();
