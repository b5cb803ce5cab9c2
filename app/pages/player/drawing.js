// Drawing with WebGL 2: the shaders of the program, with the same uniform blocks.

const BLOCKS = ["Frame", "Palette", "Material", "Instance", "Lights"];
const ATTRIBUTES = [
  ["position", "in_position"],
  ["normal", "in_normal"],
  ["tangent", "in_tangent"],
  ["texcoords01", "in_texcoords01"],
  ["texcoords23", "in_texcoords23"],
  ["color", "in_color"],
  ["joints", "in_joints0"],
  ["weights", "in_weights0"],
  ["joints", "in_joints1"],
  ["weights", "in_weights1"],
];
const SLOT = 64; // floats of an instance block: an alignment that every driver accepts
const MOST_LIGHTS = 16;
const MOST_SORTED = 20000; // triangles of a blended primitive
const SHADOW_SIDE = 256; // texels of the contact shadow
const [ENVIRONMENT, PALETTE, MORPH, ACTIVE, FIRST_TEXTURE] = [0, 1, 2, 3, 4]; // texture units
const KINDS = { directional: 0, point: 1, spot: 2 };

class Drawing {
  constructor(canvas, { manifest, arrays }) {
    const gl = canvas.getContext("webgl2", { antialias: true, premultipliedAlpha: true });
    if (!gl) throw new Error("this browser has no WebGL 2");
    Object.assign(this, { gl, canvas, arrays, scene: manifest.scene, shaders: manifest.shaders });
    this.programs = new Map();
    this.buffers = BLOCKS.map(() => gl.createBuffer());
    this.frame = new Float32Array(72);
    this.lights = new Float32Array(4 * (5 + 4 * MOST_LIGHTS));
    gl.vertexAttrib3f(1, 0, 0, 0);
    gl.vertexAttrib4f(2, 0, 0, 0, 1);
    gl.vertexAttrib4f(3, 0, 0, 0, 0);
    gl.vertexAttrib4f(4, 0, 0, 0, 0);
    gl.vertexAttrib4f(5, 1, 1, 1, 1);
    this.environment = this.environmentTexture();
    this.figures = [];
  }

  // --- resources ---------------------------------------------------------------------------

  async add(data) {
    const figure = new Figure(this, data);
    await figure.load();
    this.figures.push(figure);
    return figure;
  }

  environmentTexture() {
    const { gl, arrays } = this;
    const { size, channels, levels } = this.scene.environment;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + ENVIRONMENT);
    gl.bindTexture(gl.TEXTURE_3D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const [stored, format] = channels === 1 ? [gl.R16F, gl.RED] : [gl.RGB16F, gl.RGB];
    gl.texImage3D(gl.TEXTURE_3D, 0, stored, ...size, 0, format, gl.HALF_FLOAT, arrays.read(levels));
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_3D, filter, gl.LINEAR);
    for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
      gl.texParameteri(gl.TEXTURE_3D, wrap, gl.CLAMP_TO_EDGE);
    return texture;
  }

  // The program of two shaders with definitions, compiled on first use.
  program(vertex, fragment, defines) {
    const lines = Object.keys(defines)
      .sort()
      .map((name) => `#define ${name} ${defines[name]}`);
    const key = [vertex, fragment, ...lines].join("\n");
    if (!this.programs.has(key)) this.programs.set(key, this.compiled(vertex, fragment, lines));
    return this.programs.get(key);
  }

  compiled(vertex, fragment, lines) {
    const { gl, shaders } = this;
    const made = gl.createProgram();
    const stages = [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ];
    const parts = stages.map(([kind, name]) => {
      const shader = gl.createShader(kind);
      const text = [shaders.version, ...lines, shaders.precision, shaders.sources[name]];
      gl.shaderSource(shader, text.join("\n"));
      gl.compileShader(shader);
      gl.attachShader(made, shader);
      return shader;
    });
    ATTRIBUTES.forEach(([, name], k) => gl.bindAttribLocation(made, k, name));
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = parts.map((part) => gl.getShaderInfoLog(part));
      throw new Error([gl.getProgramInfoLog(made), ...logs].join("\n"));
    }
    BLOCKS.forEach((name, k) => {
      const index = gl.getUniformBlockIndex(made, name);
      if (index !== gl.INVALID_INDEX) gl.uniformBlockBinding(made, index, k);
    });
    gl.useProgram(made);
    const places = { environment_levels: ENVIRONMENT, palette_texture: PALETTE };
    Object.assign(places, { morph_targets: MORPH, morph_active: ACTIVE });
    const uniforms = {};
    const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
    let unit = FIRST_TEXTURE;
    for (let k = 0; k < count; k++) {
      const { name, type } = gl.getActiveUniform(made, k);
      const place = gl.getUniformLocation(made, name);
      if (!place) continue; // in a block
      uniforms[name] = { place, unit: -1 };
      if (type === gl.SAMPLER_2D || type === gl.SAMPLER_3D || type === gl.SAMPLER_2D_SHADOW) {
        uniforms[name].unit = places[name] ?? unit++;
        gl.uniform1i(place, uniforms[name].unit);
      }
    }
    return { made, uniforms };
  }

  // --- a frame -----------------------------------------------------------------------------

  // Draw figures seen by a camera: { view, weights, wireframe, grid, shadow } say how; each of
  // `parts` has figures, a mode, and the share of the width from where to where it is drawn. The
  // target is the canvas, or a tile at x, y of it, pixels, that is drawn
  // `zoom` times as fine, shifted by a part of a pixel.
  draw(camera, look, parts, target = { framebuffer: null, zoom: 1, x: 0, y: 0 }) {
    const { gl, canvas } = this;
    const { framebuffer, zoom } = target;
    const [width, height] = [canvas.width, canvas.height];
    this.place = camera.followed || [0, 0, 0];
    if (look.shadow) this.drawContact(parts);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.disable(gl.SCISSOR_TEST);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    for (const part of parts) {
      const [left, right] = (part.across || [0, 1]).map((x) => Math.round(x * width));
      const across = [(left - target.x) * zoom, -target.y * zoom, (right - left) * zoom, height * zoom];
      gl.scissor(...across);
      if (!part.halved) [across[0], across[2]] = [-target.x * zoom, width * zoom];
      gl.viewport(...across);
      const size = [part.halved ? right - left : width, height];
      this.writeFrame(camera, size, target);
      this.drawPart(camera, look, part);
    }
    gl.disable(gl.SCISSOR_TEST);
  }

  drawPart(camera, look, part) {
    const { gl } = this;
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.activeTexture(gl.TEXTURE0 + ENVIRONMENT);
    gl.bindTexture(gl.TEXTURE_3D, this.environment);
    if (look.grid && this.scene.grid) this.drawGrid();
    if (look.shadow && part.figures.length) this.drawFloor();
    for (const figure of part.figures) this.drawFigure(figure, camera, look, part.mode || "");
  }

  drawFigure(figure, camera, look, mode) {
    const { gl } = this;
    this.upload(0, this.frame);
    const lights = this.writeLights(camera, figure);
    figure.writePose(look);
    const light = { TONE: this.scene.tone, ...lights };
    if (this.scene.environment.channels === 1) light.GREY_ENVIRONMENT = 1;
    const shown = figure.items.filter((item) => !figure.off[item.joint]);
    if (mode === "ghost") {
      gl.depthMask(false);
      for (const item of shown) this.drawItem(figure, item, { GHOST: 1 }, 2);
      gl.depthMask(true);
      return;
    }
    const defines = look.weights >= 0 ? { WEIGHTS: 1 } : look.view === "lit" ? light : viewDefines(look.view);
    const asIs = look.weights < 0 && (look.view === "lit" || look.view === "base-colour");
    const blended = [];
    for (const item of shown) {
      const { blend, sides } = figure.materials[item.material];
      if (!blend || !asIs) {
        gl.disable(gl.BLEND);
        this.drawItem(figure, item, defines, sides);
        gl.enable(gl.BLEND);
        continue;
      }
      blended.push(item);
      if (item.geometry.mode === gl.TRIANGLES)
        this.drawItem(figure, item, { ...defines, OPAQUE_PART: 1 }, sides);
    }
    for (const { item, order } of figure.backToFront(blended, camera)) {
      const { sides } = figure.materials[item.material];
      const own = item.geometry.mode === gl.TRIANGLES ? { ...defines, BLENDED_PART: 1 } : defines;
      if (order || sides === 1) this.drawItem(figure, item, own, sides, order);
      else for (const back of [-1, 1]) this.drawItem(figure, item, own, back);
    }
    if (look.wireframe) {
      for (const item of shown) {
        if (item.geometry.mode === gl.TRIANGLES) this.drawItem(figure, item, {}, 2, null, "edges.frag");
      }
    }
  }

  // Draw an item: 1 front faces, 2 both sides, -1 back faces; `fragment` is another shader.
  drawItem(figure, item, defines, sides, order = null, fragment = "mesh.frag") {
    const { gl } = this;
    const material = figure.materials[item.material];
    const program = this.program("mesh.vert", fragment, { ...item.defines, ...material.defines, ...defines });
    gl.useProgram(program.made);
    if (sides === 2) gl.disable(gl.CULL_FACE);
    else {
      gl.enable(gl.CULL_FACE);
      gl.cullFace(sides === 1 ? gl.BACK : gl.FRONT);
      gl.frontFace(figure.mirrored(item) ? gl.CW : gl.CCW);
    }
    gl.bindBufferBase(gl.UNIFORM_BUFFER, 2, material.buffer);
    const size = 4 * SLOT;
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 3, figure.instances, item.number * size, size);
    if (item.skin >= 0) figure.palettes[item.skin].bind();
    for (const { name, texture } of material.textures) {
      const unit = program.uniforms[name]?.unit;
      if (unit === undefined) continue;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
    item.morph?.bind(program);
    const reach = program.uniforms.contact_reach;
    if (reach) gl.uniform2f(reach.place, this.scene.floor, 0.12 * this.scene.radius);
    item.geometry.draw(order, fragment === "edges.frag");
  }

  // --- floor -------------------------------------------------------------------------------

  drawGrid() {
    const { gl } = this;
    const program = this.program("grid.vert", "grid.frag", { SIDES: 24 });
    const { grid_center, grid_colors } = this.scene.grid;
    gl.useProgram(program.made);
    const [x, , z] = this.place;
    gl.uniform2f(program.uniforms.grid_center.place, grid_center[0] + x, grid_center[1] + z);
    gl.uniform2f(program.uniforms.grid_colors.place, ...grid_colors);
    this.onFloor(() => gl.drawArrays(gl.TRIANGLE_FAN, 0, 24));
  }

  // Draw on the floor: from both sides, hidden by a floor of the file, hiding nothing.
  onFloor(draw) {
    const { gl } = this;
    this.upload(0, this.frame);
    gl.bindVertexArray(null);
    gl.disable(gl.CULL_FACE);
    gl.depthMask(false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(4, 16);
    draw();
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.depthMask(true);
  }

  // The square on the floor that has the contact shadow: middle and half its edge.
  get floorSquare() {
    const { middle, radius, floor } = this.scene;
    const [x, , z] = this.place;
    return { at: [middle[0] + x, floor, middle[2] + z], half: 1.3 * radius };
  }

  // Draw into a texture how near surfaces are to the floor, seen from below, and blur it.
  drawContact(parts) {
    const { gl } = this;
    if (!this.contact) this.contact = [0, 1].map(() => this.shadowTarget());
    const { at, half } = this.floorSquare;
    const reach = this.scene.radius;
    const below = new Float32Array(72);
    below.set([1 / half, 0, 0, -at[0] / half, 0, 0, 1 / half, -at[2] / half]);
    below.set([0, 1 / (4 * reach), 0, -at[1] / (4 * reach), 0, 0, 0, 1], 8);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.DEPTH_TEST);
    gl.viewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.contact[0].framebuffer);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
    this.upload(0, below);
    for (const figure of parts.flatMap((part) => (part.mode ? [] : part.figures))) {
      figure.writePose({ weights: -1 });
      for (const item of figure.items) {
        if (figure.off[item.joint] || item.geometry.mode !== gl.TRIANGLES) continue;
        if (figure.materials[item.material].blend) continue;
        this.drawItem(figure, item, {}, 2, null, "contact.frag");
      }
    }
    gl.blendEquation(gl.FUNC_ADD);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
    const blur = this.program("square.vert", "blur.frag", {});
    gl.useProgram(blur.made);
    for (const [from, to, step] of [
      [0, 1, [1, 0]],
      [1, 0, [0, 1]],
    ]) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.contact[to].framebuffer);
      this.bindShadow(blur, this.contact[from].texture);
      gl.uniform2f(blur.uniforms.blur_step.place, step[0] / SHADOW_SIDE, step[1] / SHADOW_SIDE);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.enable(gl.DEPTH_TEST);
  }

  drawFloor() {
    const { gl } = this;
    const program = this.program("floor.vert", "floor.frag", {});
    const { at, half } = this.floorSquare;
    gl.useProgram(program.made);
    this.bindShadow(program, this.contact[0].texture);
    gl.uniform4f(program.uniforms.floor_square.place, ...at, half);
    this.onFloor(() => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4));
  }

  bindShadow(program, texture) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + program.uniforms.shadow_texture.unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  }

  shadowTarget() {
    const { gl } = this;
    const [texture, framebuffer] = [gl.createTexture(), gl.createFramebuffer()];
    gl.activeTexture(gl.TEXTURE0 + FIRST_TEXTURE);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, SHADOW_SIDE, SHADOW_SIDE);
    for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    return { texture, framebuffer };
  }

  // --- uniform blocks ----------------------------------------------------------------------

  upload(block, data) {
    const { gl } = this;
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.buffers[block]);
    gl.bufferData(gl.UNIFORM_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.bindBufferBase(gl.UNIFORM_BUFFER, block, this.buffers[block]);
  }

  // The block of lib/frame.glsl.
  writeFrame(camera, [width, height], { zoom, shift = [0, 0] }) {
    const { frame, scene } = this;
    const { world, projection } = camera.matrix(width / height);
    frame.fill(0);
    frame.set(world);
    const moved = [(2 * shift[0]) / width, (2 * shift[1]) / height];
    for (let c = 0; c < 4; c++) {
      frame[c] += moved[0] * world[12 + c];
      frame[4 + c] += moved[1] * world[12 + c];
    }
    frame.set(moved, 68);
    frame.set([...camera.eye, camera.ortho ? 0 : 1, ...camera.back, zoom], 16);
    frame.set(scene.environment.rows, 24);
    const drawn = [width * zoom, height * zoom];
    frame.set([...drawn, scene.exposure, 2 / (projection[5] * drawn[1])], 60);
    const grid = scene.grid;
    frame.set([scene.floor, grid ? grid.cell : 1, grid ? grid.radius : 0, 0], 64);
  }

  // The block of lib/lights.glsl; returns the definitions that the lights need.
  writeLights(camera, figure) {
    const { lights, scene } = this;
    lights.fill(0);
    const own = scene.lights ? null : this.figures.flatMap((each) => each.lights());
    const shown = (own || scene.lights.map((light) => defaultLight(light, camera))).slice(0, MOST_LIGHTS);
    const first = shown.findIndex((light) => light.kind === 0);
    if (first > 0) shown.unshift(...shown.splice(first, 1));
    shown.forEach((light, k) => {
      const at = (group) => 20 + 4 * (group * MOST_LIGHTS + k);
      lights.set([...light.color, light.kind], at(0));
      lights.set([...(light.position || [0, 0, 0]), light.range > 0 ? 1 / light.range : 0], at(1));
      lights.set(light.backward, at(2));
      lights.set(light.cone || [0, 0], at(3));
    });
    this.upload(4, lights);
    if (first < 0 || shown.some((light) => light.kind !== 0)) return { PUNCTUAL: shown.length };
    return shown.length > 1 ? { SUNS: shown.length } : {};
  }
}

// The light of an entry of the scene; the rim light is placed from the camera.
function defaultLight(light, camera) {
  if (!light.rim) return { kind: 0, color: light.color, backward: light.backward };
  const [turn, elevation] = light.rim;
  const [x, , z] = camera.back;
  const azimuth = Math.atan2(x, z) + turn;
  const flat = Math.cos(elevation);
  const backward = [Math.sin(azimuth) * flat, Math.sin(elevation), Math.cos(azimuth) * flat];
  return { kind: 0, color: light.color, backward };
}

function viewDefines(view) {
  return { VIEW: 1, [`VIEW_${view.toUpperCase().replaceAll("-", "_")}`]: 1 };
}
