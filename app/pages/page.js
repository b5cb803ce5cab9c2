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
    showMoment(location.hash);
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
    if (tile.dataset.row) return playHere(tile);
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
    switchOf(tile).setAttribute("aria-pressed", "false");
    pause(tile);
  }
  function pause(tile) {
    if (!tile.classList.contains("playing")) return;
    tile.classList.remove("playing");
    if (tile.dataset.row) return leave(tile);
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
    switchOf(tile).setAttribute("aria-pressed", String(on));
    if (!on) return rest(tile);
    pinned.add(tile);
    play(tile);
  }
  function switchOf(tile) {
    return tile.querySelector(".go") || tile;
  }
  function badgeOf(tile) {
    const length = document.createElement("span");
    length.className = "length";
    length.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#icon-play"/></svg>';
    length.append(tile.dataset.length);
    return length;
  }
  function makePlayer(tile) {
    if (tile.dataset.row) return makeTile(tile);
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
    const line = document.createElement("span");
    line.className = "line";
    tile.append(badgeOf(tile), line);
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

  // --- the player: of a character at a time, in a tile or in the large panel -------------------
  const panel = () => document.querySelector("dialog.large");
  let live = null; // article, root, stage, ready; then player and controls; the tile it is in

  function liveOf(article) {
    if (live?.article === article) return live;
    live?.player?.drawing.gl.getExtension("WEBGL_lose_context")?.loseContext();
    const root = document.querySelector("template.parts").content.firstElementChild.cloneNode(true);
    live = { article, root, stage: root.querySelector(".stage"), tile: null };
    panel().replaceChildren(root);
    root.querySelector(".close").addEventListener("click", () => panel().close());
    live.ready = load(live);
    return live;
  }
  async function load(made) {
    const data = document.getElementById(`${made.article.id}/data`);
    made.stage.style.setProperty("--behind", data.dataset.behind);
    try {
      const player = new Player(made.root, await unpack(data.textContent));
      await player.load();
      made.controls = new Controls(player);
      made.root.classList.add("ready");
      made.player = player;
      player.onChange(() => {
        const line = made.tile?.querySelector(".line");
        const { state, begin, length } = player;
        if (line) line.style.scale = `${length ? (state.time - begin) / length : 0} 1`;
      });
    } catch (error) {
      made.failure = `It does not play here: ${error.message}`;
    }
  }
  async function playHere(tile) {
    const made = liveOf(tile.closest("article"));
    made.tile = tile;
    await made.ready;
    if (made !== live || made.tile !== tile) return;
    if (made.failure) tile.querySelector(".length").textContent = made.failure;
    if (made.failure) return rest(tile);
    const { player, stage } = made;
    const row = Number(tile.dataset.row);
    tile.prepend(stage);
    player.camera.place(player.manifest.cameras[row]);
    player.set({ joint: -1, weights: false, fileCamera: -1, view: player.manifest.view, ...player.manifest.overlays });
    player.choose(row);
    player.play(true);
  }
  function leave(tile) {
    tile.querySelector(".line").style.scale = "0 1";
    if (live?.tile !== tile) return;
    live.tile = null;
    live.player?.play(false);
    live.root.querySelector(".bar").after(live.stage);
  }
  // Open the large panel at the start of a row, at its present time if it plays, or at a moment.
  async function openLarge(article, row, moment = "") {
    const goes = live?.article === article && live.player && live.tile?.dataset.row === String(row);
    const time = goes ? live.player.state.time : 0;
    all(".tile", article).forEach(rest);
    const made = liveOf(article);
    panel().setAttribute("aria-label", article.querySelector("h1").textContent);
    if (!panel().open) panel().showModal();
    await made.ready;
    if (made !== live || !panel().open) return;
    if (made.failure) made.root.querySelector(".status").textContent = made.failure;
    if (made.failure) return;
    const { player, controls } = made;
    player.set({ joint: -1, weights: false, fileCamera: -1, ...player.manifest.overlays });
    player.choose(row, time);
    player.play(!moment && !calm.matches);
    if (moment) controls.follow(moment);
    made.stage.focus({ preventScroll: true });
  }
  function closed() {
    live?.player?.play(false);
    if (location.hash.includes("/play?")) history.replaceState(null, "", `#${live.article.id}`);
  }
  function showMoment(hash) {
    const [place, query] = hash.slice(1).split("/play?");
    if (query && document.getElementById(`${place}/data`)) openLarge(document.getElementById(place), 0, query);
  }
  function button(kind, label) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = kind;
    made.setAttribute("aria-label", label);
    return made;
  }
  function enlarging(article, row, label) {
    const made = button("enlarge", label);
    made.title = label;
    made.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#icon-large"/></svg>';
    made.addEventListener("click", () => openLarge(article, row));
    return made;
  }
  function makeTile(tile) {
    const article = tile.closest("article");
    const { label, row } = tile.dataset;
    const go = button("go", `Play ${label}`);
    go.setAttribute("aria-pressed", "false");
    const line = document.createElement("span");
    line.className = "line";
    go.append(badgeOf(tile), line);
    go.addEventListener("click", () => {
      const on = !pinned.has(tile);
      all(".tile.playing", article).forEach(rest);
      pin(tile, on);
    });
    tile.append(go, enlarging(article, Number(row), `Open ${label} large`));
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
    for (const data of all('script[id$="/data"]')) {
      const article = data.closest("article");
      article.querySelector(".picture").append(enlarging(article, 0, "Turn and play it"));
    }
    panel()?.addEventListener("close", closed);
    for (const link of all("a.moment"))
      link.addEventListener("click", () => location.hash === link.hash && showMoment(link.hash));
    all("button.all").forEach((button) => button.addEventListener("click", () => playAll(button)));
    all("table.joints").forEach(sortable);
    all("[data-sort]").forEach((each) => each.addEventListener("change", () => sortCards(each)));
    addEventListener("hashchange", show);
    addEventListener("beforeprint", () => all("details").forEach((each) => (each.open = true)));
    show();
  });
})();
