// The controls of a page: mouse, touch and keys on the picture; playback, clips, overlays.

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2];
const TURN = Math.PI; // of a drag over the whole height
const VIEW_KEYS = { 1: "front", 3: "right", 7: "top" };
const BACK_KEYS = { 1: "back", 3: "left", 7: "bottom" };
const STEPS = 1000; // of the time slider

class Controls {
  constructor(player) {
    this.player = player;
    this.root = player.root;
    this.find = (selector) => this.root.querySelector(selector);
    this.pointers = new Map();
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.bindPicture();
    this.bindPlayback();
    this.bindClips();
    this.bindView();
    player.onChange((values) => this.show(values));
    this.show(player.state);
  }

  on(selector, event, listener) {
    this.root.querySelectorAll(selector).forEach((each) => each.addEventListener(event, listener));
  }

  // --- the picture: orbit, pan, zoom ---------------------------------------------------------

  bindPicture() {
    const { player } = this;
    const scene = this.find(".stage");
    scene.addEventListener("contextmenu", (event) => event.preventDefault());
    scene.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button, input, select, .panel")) return;
      scene.setPointerCapture(event.pointerId);
      scene.focus({ preventScroll: true });
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    const end = (event) => this.pointers.delete(event.pointerId);
    scene.addEventListener("pointerup", end);
    scene.addEventListener("pointercancel", end);
    scene.addEventListener("pointermove", (event) => this.drag(event, scene.clientHeight));
    scene.addEventListener("dblclick", () => this.frame());
    scene.addEventListener(
      "wheel",
      (event) => {
        if (!this.root.classList.contains("whole") && !this.root.contains(document.activeElement)) return;
        event.preventDefault();
        const notches = -event.deltaY * (event.deltaMode === 1 ? 1 / 3 : 1 / 100);
        this.changeCamera(() => player.camera.zoom(Math.max(-3, Math.min(3, notches))));
      },
      { passive: false },
    );
    scene.addEventListener("keydown", (event) => this.key(event));
  }

  drag(event, height) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [x, y] = [event.clientX, event.clientY];
    const { camera } = this.player;
    const [dx, dy] = [(x - before[0]) / height, (y - before[1]) / height];
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const [was, is] = [before, [x, y]].map((at) => Math.hypot(at[0] - other[0], at[1] - other[1]));
      this.pointers.set(event.pointerId, [x, y]);
      return this.changeCamera(() => {
        if (was > 0 && is > 0) camera.zoom(-Math.log(is / was) / Math.log(WHEEL));
        camera.pan(-dx / 2, dy / 2);
      });
    }
    this.pointers.set(event.pointerId, [x, y]);
    const pans = event.buttons & 4 || event.shiftKey;
    this.changeCamera(() => {
      if (event.buttons & 2) camera.zoom(-dy * 10);
      else if (pans) camera.pan(-dx, dy);
      else camera.orbit(-dx * TURN, dy * TURN);
    });
  }

  changeCamera(change) {
    change();
    this.player.set({ fileCamera: -1 });
  }

  frame() {
    this.changeCamera(() => this.player.camera.place(this.player.manifest.cameras[this.player.state.clip]));
  }

  // --- keys, as in the window ----------------------------------------------------------------

  key(event) {
    if (event.altKey || event.metaKey || event.target.closest("input, select")) return;
    const done = event.ctrlKey ? this.controlKey(event.key) : this.plainKey(event.key, event.shiftKey);
    if (done) event.preventDefault();
  }

  controlKey(key) {
    if (!BACK_KEYS[key]) return false;
    this.view(BACK_KEYS[key]);
    return true;
  }

  plainKey(key, shift) {
    const { player } = this;
    const { state } = player;
    const toggled = { b: "skeleton", n: "names", w: "wireframe", g: "grid", d: "shadow", h: "weights" }[key.toLowerCase()];
    if (VIEW_KEYS[key]) this.view(VIEW_KEYS[key]);
    else if (toggled) this.toggle(toggled);
    else if (key === " ") player.play();
    else if (key === "ArrowLeft") shift ? player.seek(player.begin) : player.step(-1);
    else if (key === "ArrowRight") shift ? player.seek(player.clip?.end ?? 0) : player.step(1);
    else if (key === "PageDown") player.choose(Math.min(state.clip + 1, player.clips.length - 1));
    else if (key === "PageUp") player.choose(Math.max(state.clip - 1, 0));
    else if (key === "[" || key === "]") this.changeSpeed(key === "]" ? 1 : -1);
    else if (key === "Backspace") player.set({ speed: 1 });
    else if (key === "5") this.changeCamera(() => (player.camera.ortho = !player.camera.ortho));
    else if (key.toLowerCase() === "v") this.nextView(shift ? -1 : 1);
    else if (key.toLowerCase() === "l") player.set({ loop: !state.loop });
    else if (key.toLowerCase() === "f") this.frame();
    else if (key.toLowerCase() === "k") this.nextCamera();
    else if (key === "F11") this.fullScreen();
    else return false;
    return true;
  }

  view(name) {
    this.changeCamera(() => this.player.camera.view(name));
  }

  toggle(name) {
    const { state } = this.player;
    this.player.set({ [name]: !state[name], ...(name === "weights" && state.joint < 0 ? { joint: this.firstJoint() } : {}) });
  }

  firstJoint() {
    const [skin] = this.player.figures[0].motion.skins;
    return skin ? skin.joints[0] : 0;
  }

  changeSpeed(by) {
    const at = SPEEDS.indexOf(this.player.state.speed);
    this.player.set({ speed: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))] });
  }

  nextView(by) {
    const { player } = this;
    const names = player.manifest.views.map(([name]) => name);
    const at = names.indexOf(player.state.view);
    player.set({ view: names[(at + by + names.length) % names.length] });
  }

  nextCamera() {
    const count = this.player.manifest.characters[0].cameras.length;
    const next = this.player.state.fileCamera + 1;
    this.player.set({ fileCamera: next < count ? next : -1 });
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.();
  }

  // --- playback ------------------------------------------------------------------------------

  bindPlayback() {
    const { player } = this;
    this.on("button.play", "click", () => player.play());
    this.on("button.back", "click", () => player.step(-1));
    this.on("button.ahead", "click", () => player.step(1));
    this.on("button.loop", "click", () => player.set({ loop: !player.state.loop }));
    this.on("input.time", "input", (event) =>
      player.seek(player.begin + (event.target.value / STEPS) * player.length),
    );
    const speed = this.find("select.speed");
    if (speed) for (const each of SPEEDS) speed.append(new Option(`${each}×`, each));
    this.on("select.speed", "change", (event) => player.set({ speed: Number(event.target.value) }));
  }

  // --- clips ---------------------------------------------------------------------------------

  bindClips() {
    const { player } = this;
    const list = this.find("ul.clips");
    if (!list) return;
    player.clips.forEach((clip, number) => {
      const button = document.createElement("button");
      button.type = "button";
      const [name, length] = ["bdi", "small"].map((kind) => document.createElement(kind));
      name.textContent = clip.name;
      length.textContent = `${(clip.end - Math.min(clip.start, 0)).toFixed(2)} s`;
      button.append(name, length);
      button.addEventListener("click", () => {
        player.choose(number);
        if (!this.calm.matches && !player.state.playing) player.play(true);
      });
      const row = document.createElement("li");
      row.append(button);
      list.append(row);
    });
    const search = this.find("input.search");
    search.addEventListener("input", () => this.filter(list, search.value));
    search.addEventListener("keydown", (event) => {
      if (event.key === "Escape") [search.value] = [""];
      if (event.key === "Enter") list.querySelector("li:not([hidden]) button")?.click();
      if (event.key === "Escape") this.filter(list, "");
    });
  }

  filter(list, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of list.children) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      left += !row.hidden;
    }
    this.find(".none").hidden = left > 0;
  }

  // --- view, overlays, joint -----------------------------------------------------------------

  bindView() {
    const { player } = this;
    const modes = this.find("select.mode");
    if (modes) for (const [name, label] of player.manifest.views) modes.append(new Option(label, name));
    this.on("select.mode", "change", (event) => player.set({ view: event.target.value, weights: false }));
    this.on("button[data-toggle]", "click", (event) => this.toggle(event.currentTarget.dataset.toggle));
    this.on("button[data-view]", "click", (event) => this.view(event.currentTarget.dataset.view));
    this.on("button.frame", "click", () => this.frame());
    this.on("button.full", "click", () => this.fullScreen());
    this.on("button.link", "click", () => this.copyLink());
    this.on("button.theme", "click", () => this.theme());
    this.on("button.open-clips", "click", () => this.openClips());
    this.on("input.edge", "input", (event) => player.set({ edge: event.target.value / 100 }));
    this.on("select.compare", "change", (event) => player.set({ compare: event.target.value }));
    const jointList = this.find("select.joint");
    if (jointList) {
      const { names } = player.figures[0].motion;
      names.forEach((name, j) => jointList.append(new Option(name, j)));
    }
    this.on("select.joint", "change", (event) => player.set({ joint: Number(event.target.value) }));
  }

  openClips() {
    const open = this.root.classList.toggle("listed");
    this.find("button.open-clips").setAttribute("aria-expanded", String(open));
    if (open) this.find("input.search").focus();
  }

  theme() {
    const page = document.documentElement;
    const dark = getComputedStyle(page).colorScheme.includes("dark")
      ? page.dataset.theme === "dark" || (!page.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches)
      : false;
    page.dataset.theme = dark ? "light" : "dark";
  }

  // A link to this moment.
  get link() {
    const { state, clip, camera } = this.player;
    const turn = ((camera.azimuth - this.player.manifest.scene.front) * 180) / Math.PI;
    const at = [["clip", clip?.name], ["t", state.time.toFixed(3)]];
    at.push(["view", `${turn.toFixed(1)},${((camera.elevation * 180) / Math.PI).toFixed(1)}`]);
    if (state.joint >= 0) at.push(["joint", this.player.figures[0].motion.names[state.joint]]);
    return `#${new URLSearchParams(at.filter(([, value]) => value !== undefined))}`;
  }

  async copyLink() {
    try {
      history.replaceState(null, "", this.link);
      await navigator.clipboard.writeText(location.href);
      this.say("Link copied");
    } catch {
      this.say("The address of the page is the link");
    }
  }

  // Go to the moment of a link: #clip=Walk&t=0.4&view=right.
  follow(text) {
    const { player } = this;
    const given = new URLSearchParams(text.replace(/^#/, ""));
    const clip = player.clips.findIndex((each) => each.name === given.get("clip"));
    const time = Number(given.get("t") ?? 0);
    if (clip >= 0) player.choose(clip, 0);
    if (given.has("t") && Number.isFinite(time)) player.seek(time);
    const joint = player.figures[0].motion.names.indexOf(given.get("joint"));
    if (joint >= 0) player.set({ joint, skeleton: true });
    const view = given.get("view") || "";
    const angles = view.split(",").map(Number);
    if (VIEWS[view]) this.view(view);
    else if (angles.length === 2 && angles.every(Number.isFinite)) {
      const [azimuth, elevation] = angles.map((x) => (x * Math.PI) / 180);
      this.changeCamera(() => {
        player.camera.azimuth = azimuth + player.manifest.scene.front;
        player.camera.elevation = Math.max(-POLE, Math.min(POLE, elevation));
      });
    }
  }

  say(text) {
    const status = this.find(".status");
    if (!status) return;
    status.textContent = text;
    clearTimeout(this.said);
    this.said = setTimeout(() => (status.textContent = ""), 2500);
  }

  // --- what the controls show ----------------------------------------------------------------

  show(values) {
    const { player } = this;
    const { state } = player;
    const has = (name) => name in values;
    const slider = this.find("input.time");
    if (slider && (has("time") || has("clip"))) {
      const share = player.length > 0 ? (state.time - player.begin) / player.length : 0;
      slider.value = Math.round(share * STEPS);
      slider.style.setProperty("--share", `${100 * share}%`);
      const said = `${state.time.toFixed(2)} of ${(player.clip?.end ?? 0).toFixed(2)} s`;
      slider.setAttribute("aria-valuetext", said);
      this.find("output.now").textContent = said;
    }
    if (has("playing")) {
      const button = this.find("button.play");
      button.setAttribute("aria-label", state.playing ? "Pause" : "Play");
      button.classList.toggle("on", state.playing);
    }
    if (has("speed") && this.find("select.speed")) this.find("select.speed").value = state.speed;
    if (has("loop")) this.find("button.loop")?.setAttribute("aria-pressed", String(state.loop));
    if (has("view") && this.find("select.mode")) this.find("select.mode").value = state.view;
    if (has("compare") && this.find("select.compare")) {
      this.find("select.compare").value = state.compare;
      this.find("input.edge").hidden = state.compare !== "wipe";
    }
    if (has("joint") && this.find("select.joint")) this.find("select.joint").value = state.joint;
    this.root.querySelectorAll("button[data-toggle]").forEach((button) => {
      button.setAttribute("aria-pressed", String(Boolean(state[button.dataset.toggle])));
    });
    if (has("clip")) this.showClip();
  }

  showClip() {
    const { player } = this;
    const title = this.find(".clip-name");
    if (title) title.textContent = player.clip?.name ?? "";
    const rows = this.root.querySelectorAll("ul.clips button");
    rows.forEach((button, k) => {
      if (k === player.state.clip) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    rows[player.state.clip]?.scrollIntoView({ block: "nearest" });
  }
}
