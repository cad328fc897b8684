/* Shows what a form would save while it is written. The form has `data-preview`, the id of the part of the page that the
   server renders anew. Without JavaScript the button named “preview” does the same. */
for (const form of document.querySelectorAll("form[data-preview]")) {
  let timer = 0;
  let request = null;

  const show = async () => {
    request?.abort();
    request = new AbortController();
    const body = new FormData(form);
    body.set("preview", "on");
    try {
      const response = await fetch(form.action, { method: "POST", body, signal: request.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const part = page.getElementById(form.dataset.preview);
      if (part) document.getElementById(form.dataset.preview).replaceWith(part);
    } catch {
      // Aborted, or no network: the button still works.
    }
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 300);
  });
}
