"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const hovers = matchMedia("(hover: hover)");

  // --- theme: auto, light, dark -------------------------------------------------------
  const THEMES = ["auto", "light", "dark"];
  function storedTheme() {
    try {
      return sessionStorage.getItem("theme");
    } catch {
      return null; // no storage for local pages in this browser
    }
  }
  function setTheme(theme) {
    root.dataset.theme = theme;
    try {
      sessionStorage.setItem("theme", theme);
    } catch {
      // not stored
    }
    const label = document.querySelector(".theme b");
    if (label) label.textContent = theme;
  }
  if (THEMES.includes(storedTheme())) root.dataset.theme = storedTheme();

  // --- which character is shown ----------------------------------------------------------------
  function show() {
    const views = all(".view");
    const wanted = decodeURIComponent(location.hash.slice(1));
    const chosen = views.find((view) => wanted === view.id || wanted.startsWith(view.id + "/"));
    if (!chosen && wanted && document.getElementById(wanted)) return; // a link within the page
    const view = chosen || views[0];
    const before = views.find((each) => each.classList.contains("shown"));
    for (const each of views) each.classList.toggle("shown", each === view);
    if (before && before !== view) all(".tile", before).forEach(rest);
    const target = document.getElementById(wanted);
    if (target && target !== view) target.scrollIntoView();
    else if (before !== view) scrollTo(0, 0);
  }

  // --- filters: search in data-text, and switches ---------------------------
  function filter(section) {
    const input = section.querySelector("[data-filter]");
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const out = all("[data-severity][aria-pressed=false]", section).map((b) => b.dataset.severity);
    const only = section.querySelector("[data-only]:checked");
    const items = all(input.dataset.filter, section);
    let left = 0;
    for (const item of items) {
      const fits =
        words.every((word) => item.dataset.text.includes(word)) &&
        !out.includes(item.dataset.severity) &&
        !(only && item.matches(only.dataset.only));
      item.hidden = !fits;
      left += fits;
    }
    const narrowed = words.length || out.length || only;
    for (const group of all(".about, .more", section)) {
      const here = all(".finding:not([hidden])", group).length;
      group.hidden = !here;
      group.querySelector("summary .number").textContent = here;
      if (words.length && here) group.open = true;
    }
    section.querySelector(".left").textContent = narrowed ? `${left} of ${items.length}` : "";
    const none = section.querySelector(".none");
    if (none) none.hidden = left > 0;
  }

  // --- loops -------------------------------------------------------------------------------------
  const pinned = new WeakSet();
  const links = new WeakMap(); // media elements: URL of the loop

  function blobOf(address) {
    const [head, body] = address.split(",");
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type: head.slice(5).split(";")[0] }));
  }
  function play(tile) {
    if (tile.classList.contains("playing")) return;
    tile.classList.add("playing");
    const video = tile.querySelector("video");
    if (!video) {
      const picture = tile.querySelector("img");
      links.set(picture, picture.src);
      picture.src = picture.dataset.loop;
      return;
    }
    if (!links.has(video)) {
      links.set(video, blobOf(video.getAttribute("src"))); // every browser can seek in blobs
      video.src = links.get(video);
    }
    video.play().catch(() => {});
    const line = tile.querySelector(".line");
    (function follow() {
      if (!tile.classList.contains("playing")) return;
      line.style.scale = `${video.duration ? video.currentTime / video.duration : 0} 1`;
      requestAnimationFrame(follow);
    })();
  }
  function rest(tile) {
    pinned.delete(tile);
    tile.setAttribute("aria-pressed", "false");
    pause(tile);
  }
  function pause(tile) {
    if (!tile.classList.contains("playing")) return;
    tile.classList.remove("playing");
    const video = tile.querySelector("video");
    if (video) {
      video.pause();
      video.load(); // back to the still
      tile.querySelector(".line").style.scale = "0 1";
    } else {
      const picture = tile.querySelector("img");
      picture.src = links.get(picture);
    }
  }
  function pin(tile, on) {
    tile.setAttribute("aria-pressed", String(on));
    if (!on) return rest(tile);
    pinned.add(tile);
    play(tile);
  }
  function makePlayer(tile) {
    const video = tile.querySelector("video");
    if (video) {
      video.removeAttribute("controls");
      video.setAttribute("aria-hidden", "true");
      video.tabIndex = -1;
    }
    tile.tabIndex = 0;
    tile.setAttribute("role", "button");
    tile.setAttribute("aria-pressed", "false");
    tile.setAttribute("aria-label", `Play ${tile.dataset.label}`);
    const length = document.createElement("span");
    length.className = "length";
    length.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#icon-play"/></svg>';
    length.append(tile.dataset.length);
    const line = document.createElement("span");
    line.className = "line";
    tile.append(length, line);
    const begin = () => calm.matches || play(tile);
    const end = () => pinned.has(tile) || document.activeElement === tile || pause(tile);
    tile.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && begin());
    tile.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && end());
    tile.addEventListener("focus", () => tile.matches(":focus-visible") && begin());
    tile.addEventListener("blur", () => pinned.has(tile) || tile.matches(":hover") || pause(tile));
    tile.addEventListener("click", () => pin(tile, !pinned.has(tile)));
    tile.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      tile.click();
    });
  }
  function playAll(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    const tiles = all(".tile", button.closest("section"));
    button.setAttribute("aria-pressed", String(on));
    button.querySelector("span").textContent = on ? "Stop all" : "Play all";
    if (button.watch) button.watch.disconnect();
    if (!on) return tiles.forEach(rest);
    button.watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) pin(target, isIntersecting);
    });
    tiles.forEach((tile) => button.watch.observe(tile));
  }

  // --- sorting of tables and cards -----------------------------------------------------------
  const collator = new Intl.Collator(undefined, { numeric: true });
  function valueOf(row, column) {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  }
  function compare(a, b) {
    const x = Number(a);
    const y = Number(b);
    if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    return collator.compare(a, b);
  }
  function sortable(table) {
    const body = table.tBodies[0];
    const order = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const second = first === "ascending" ? "descending" : "ascending";
        const now = was === "none" ? first : was === first ? second : "none";
        heads.forEach((each) => each.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", now);
        const turn = now === "descending" ? -1 : 1;
        const rows = [...order];
        if (now !== "none")
          rows.sort((a, b) => turn * compare(valueOf(a, column), valueOf(b, column)));
        table.classList.toggle("flat", now !== "none");
        body.append(...rows);
      });
    });
  }
  function sortCards(select) {
    const list = select.closest("section").querySelector(".cards");
    const key = select.value;
    const cards = [...list.children].sort(
      (a, b) => compare(a.dataset[key], b.dataset[key]) || a.dataset.order - b.dataset.order,
    );
    list.append(...cards);
  }

  document.addEventListener("DOMContentLoaded", () => {
    all("[hidden].tools, [hidden].theme").forEach((tools) => (tools.hidden = false));
    setTheme(root.dataset.theme || "auto");
    document.querySelector(".theme").addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length]);
    });
    for (const input of all("[data-filter], [data-only]"))
      input.addEventListener("input", () => filter(input.closest("section")));
    for (const button of all("button[data-severity]"))
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        filter(button.closest("section"));
      });
    all(".tile").forEach(makePlayer);
    all("button.all").forEach((button) => button.addEventListener("click", () => playAll(button)));
    all("table.joints").forEach(sortable);
    all("[data-sort]").forEach((each) => each.addEventListener("change", () => sortCards(each)));
    addEventListener("hashchange", show);
    addEventListener("beforeprint", () => all("details").forEach((each) => (each.open = true)));
    show();
  });
})();
