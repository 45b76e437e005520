// Conveniences only: the page says everything without this script.
(() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const bar = document.querySelector(".tools");
  if (bar) {
    bar.hidden = false;
    bar.querySelector("[data-fold]").addEventListener("click", (event) => {
      const open = event.currentTarget.getAttribute("aria-pressed") !== "true";
      event.currentTarget.setAttribute("aria-pressed", String(open));
      all(".finding, .other").forEach((d) => { d.open = open; });
    });
    const told = bar.querySelector("[role=status]");
    bar.querySelector("input").addEventListener("input", (event) => {
      const words = event.currentTarget.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      all("#findings [data-filter]").forEach((item) => {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        shown += item.hidden || item.tagName === "TR" ? 0 : 1;
      });
      told.textContent = words.length ? shown + " shown" : "";
    });
  }
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let e = target; e; e = e.parentElement) {
      e.hidden = false;
      if (e.tagName === "DETAILS") e.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
  addEventListener("beforeprint", () => all("details").forEach((d) => { d.open = true; }));
})();
