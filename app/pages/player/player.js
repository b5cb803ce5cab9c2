// What plays: a clip at a time, seen by a camera, on a canvas with an overlay for lines and names.

const MOST_NAMES = 60; // of joints, drawn at once: the nearest
const LEAST_GAP = 14; // pixels between two names
const REST = 200; // milliseconds without a change, after which a picture is drawn finer

class Player {
  constructor(root, content) {
    const { manifest } = content;
    this.root = root;
    this.manifest = manifest;
    this.canvas = root.querySelector("canvas.scene");
    this.overlay = root.querySelector("canvas.overlay");
    this.drawing = new Drawing(this.canvas, content);
    this.listeners = new Set();
    this.camera = new OrbitCamera(manifest.cameras[manifest.first], manifest.aspects, manifest.scene);
    this.state = {
      clip: manifest.first,
      time: manifest.time,
      playing: false,
      speed: 1,
      loop: true,
      view: manifest.view,
      joint: -1, // selected: its weights, its name
      weights: false,
      ...manifest.overlays,
      grid: Boolean(manifest.scene.grid),
      shadow: manifest.scene.shadow,
      fileCamera: -1,
      compare: manifest.compare || "",
      edge: 0.5,
    };
  }

  async load() {
    for (const data of this.manifest.characters) await this.drawing.add(data);
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      this.root.classList.remove("ready");
    });
    this.canvas.addEventListener("webglcontextrestored", () => location.reload());
    this.draw();
  }

  get figures() {
    return this.drawing.figures;
  }

  get clips() {
    return this.manifest.characters[0].clips.list;
  }

  get clip() {
    return this.clips[this.state.clip];
  }

  get begin() {
    return this.clip ? Math.min(this.clip.start, 0) : 0;
  }

  get length() {
    return this.clip ? this.clip.end - this.begin : 0;
  }

  onChange(listener) {
    this.listeners.add(listener);
  }

  set(values) {
    Object.assign(this.state, values);
    this.listeners.forEach((listener) => listener(values));
    this.redraw();
  }

  play(playing = !this.state.playing) {
    const ended = !this.state.loop && this.state.time >= this.clip?.end;
    this.before = undefined;
    this.set({ playing: playing && this.length > 0, ...(playing && ended ? { time: this.begin } : {}) });
  }

  choose(clip, time = 0) {
    if (!this.clips[clip]) return;
    this.camera.reframe(this.manifest.cameras[clip]);
    this.set({ clip, time });
  }

  seek(time) {
    const end = this.clip?.end ?? 0;
    this.set({ time: Math.min(Math.max(time, this.begin), end), playing: false });
  }

  step(frames) {
    this.seek((Math.round(this.state.time * this.manifest.rate) + frames) / this.manifest.rate);
  }

  // Continue for some seconds.
  advance(seconds) {
    const { state, begin, length } = this;
    let time = state.time + seconds * state.speed;
    if (state.loop && length > 0) time = begin + ((((time - begin) % length) + length) % length);
    else if (time >= this.clip.end || time <= begin) {
      time = Math.min(Math.max(time, begin), this.clip.end);
      this.state.playing = false;
    }
    this.set({ time });
  }

  // Draw in the next frame of the browser.
  redraw() {
    if (this.waiting || this.lost) return;
    this.waiting = true;
    clearTimeout(this.resting);
    this.version = (this.version ?? 0) + 1;
    requestAnimationFrame((now) => {
      this.waiting = false;
      if (this.state.playing) {
        const seconds = this.before === undefined ? 0 : (now - this.before) / 1000;
        this.before = now;
        this.advance(Math.min(seconds, 0.25));
      }
      this.draw();
      if (!this.state.playing) this.resting = setTimeout(() => this.refine(), REST);
    });
  }

  // Draw the still picture again with more samples; `pause` waits between them, however long the
  // first one takes.
  async refine(pause = null) {
    const { version, drawing } = this;
    if (!this.refined) this.refined = new Refined(drawing);
    const camera = this.shownCamera();
    const render = (target) => drawing.draw(camera, this.look, this.parts(), target);
    const isStale = () => version !== this.version || this.lost;
    await this.refined.draw(render, isStale, pause);
  }

  draw() {
    const { state, canvas } = this;
    const scale = Math.min(devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * scale)));
    if (canvas.width !== width || canvas.height !== height) {
      for (const each of [canvas, this.overlay]) [each.width, each.height] = [width, height];
    }
    this.figures.forEach((figure, k) => {
      const own = this.manifest.characters[k].clips.list;
      const number = k === 0 ? state.clip : own.findIndex((clip) => clip.name === this.clip?.name);
      figure.motion.evaluate(number, state.time);
    });
    this.camera.fit(width / height);
    this.camera.followed = this.figures[0].motion.place(state.clip, state.time);
    const camera = this.shownCamera();
    this.drawing.draw(camera, this.look, this.parts());
    this.drawOverlay(camera, scale);
  }

  get look() {
    return { ...this.state, weights: this.state.weights ? this.state.joint : -1 };
  }

  shownCamera() {
    const { fileCamera } = this.state;
    return fileCamera >= 0 ? this.figures[0].camera(fileCamera) : this.camera;
  }

  // Which figures are drawn where: one, or two versions.
  parts() {
    const [first, second] = this.figures;
    const { compare, edge } = this.state;
    if (!second) return [{ figures: [first] }];
    if (compare === "overlaid") return [{ figures: [second] }, { figures: [first], mode: "ghost" }];
    if (compare === "wipe") return [{ figures: [first], across: [0, edge] }, { figures: [second], across: [edge, 1] }];
    const halved = true;
    return [
      { figures: [first], across: [0, 0.5], halved },
      { figures: [second], across: [0.5, 1], halved },
    ];
  }

  // --- skeleton and names ------------------------------------------------------------------

  drawOverlay(camera, scale) {
    const { overlay, state } = this;
    const context = overlay.getContext("2d");
    context.clearRect(0, 0, overlay.width, overlay.height);
    const halved = this.figures.length > 1 && !["overlaid", "wipe"].includes(state.compare);
    const width = halved ? overlay.width / 2 : overlay.width;
    context.font = `${12 * scale}px ${getComputedStyle(this.root).fontFamily}`;
    context.textBaseline = "middle";
    if (this.figures.length > 1) this.drawVersions(context, scale);
    if (!(state.skeleton || state.names || state.joint >= 0)) return;
    const { world } = camera.matrix(width / overlay.height);
    this.figures.forEach((figure, k) => {
      context.save();
      if (halved) context.translate(k * width, 0);
      const points = joints(figure).map((point) => projected(world, point, width, overlay.height));
      if (state.skeleton) drawBones(context, figure, points, scale);
      if (k === 0) this.drawNames(context, points, scale);
      context.restore();
    });
  }

  drawNames(context, points, scale) {
    const { state } = this;
    const { names } = this.figures[0].motion;
    const taken = [];
    const drawn = this.figures[0].data.drawn;
    const order = state.names ? drawn.filter((j) => points[j]).sort((a, b) => points[a][2] - points[b][2]) : [];
    if (state.joint >= 0 && points[state.joint]) order.unshift(state.joint);
    let count = 0;
    for (const j of order) {
      const [x, y] = points[j];
      if (count >= MOST_NAMES) break;
      if (taken.some(([a, b]) => Math.abs(y - b) < LEAST_GAP * scale && Math.abs(x - a) < 90 * scale)) continue;
      taken.push([x, y]);
      count += 1;
      const selected = j === state.joint;
      if (selected) drawDot(context, x, y, 4 * scale, "#18c3d8");
      drawText(context, names[j], x + 7 * scale, y, scale, selected ? "#7be8f5" : "#fff");
    }
  }

  // Draw the names of both versions where they are shown.
  drawVersions(context, scale) {
    const { compare } = this.state;
    const { width } = this.overlay;
    const [a, b] = this.manifest.characters.map(({ name }, k) => `${"AB"[k]}  ${name}`);
    const [left, top] = [10 * scale, 16 * scale];
    if (compare === "overlaid") {
      drawText(context, `${a} (ghost)`, left, top, scale);
      drawText(context, b, left, 2 * top, scale);
      return;
    }
    const end = width - left - context.measureText(b).width;
    drawText(context, a, left, top, scale);
    drawText(context, b, compare === "wipe" ? end : width / 2 + left, top, scale);
  }
}

// The joints of a figure in world space.
function joints(figure) {
  const { world } = figure;
  return [...Array(figure.motion.count).keys()].map((j) => {
    const p = figure.motion.position(j);
    return [0, 4, 8].map((row) => dot(p, [world[row], world[row + 1], world[row + 2]]) + world[row + 3]);
  });
}

// The place of a point in a picture, pixels, and its depth; null behind the camera.
function projected(m, [x, y, z], width, height) {
  const [cx, cy, , cw] = [0, 4, 8, 12].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
  return cw > 1e-9 ? [((cx / cw + 1) / 2) * width, ((1 - cy / cw) / 2) * height, cw] : null;
}

function drawBones(context, figure, points, scale) {
  const { motion } = figure;
  const drawn = new Set(figure.data.drawn);
  const shown = (j) => points[j] && drawn.has(j);
  for (const [width, color] of [[4, "rgb(0 0 0 / 0.5)"], [2, "#ffb347"]]) {
    context.lineWidth = width * scale;
    context.strokeStyle = color;
    context.beginPath();
    for (let j = 0; j < motion.count; j++) {
      const parent = motion.parents[j];
      if (parent < 0 || !shown(j) || !shown(parent)) continue;
      context.moveTo(points[parent][0], points[parent][1]);
      context.lineTo(points[j][0], points[j][1]);
    }
    context.stroke();
  }
  for (let j = 0; j < motion.count; j++) if (shown(j)) drawDot(context, points[j][0], points[j][1], 2.2 * scale, "#fff4df");
}

function drawText(context, text, x, y, scale, color = "#fff") {
  context.lineWidth = 3 * scale;
  context.strokeStyle = "rgb(0 0 0 / 0.65)";
  context.fillStyle = color;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

function drawDot(context, x, y, radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
