// A character on the GPU: its geometry, materials, palettes, and what is drawn of it.

class Figure {
  constructor(drawing, data) {
    this.gl = drawing.gl;
    this.drawing = drawing;
    this.data = data;
    this.motion = new Motion(data, drawing.arrays);
    this.properties = new Properties(data, this.motion);
    this.world = data.world || [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    this.off = this.properties.hidden();
  }

  async load() {
    const { gl, data } = this;
    const { arrays } = this.drawing;
    const images = await Promise.all(data.images.map((image) => decoded(image, arrays)));
    const geometries = data.geometries.map((each) => new Geometry(gl, each, arrays));
    const textures = new Map();
    this.materials = data.materials.map((material) => this.material(material, images, textures));
    this.palettes = this.motion.palettes.map((palette) => new Palette(gl, palette));
    this.items = data.items.map((item, number) => {
      const geometry = geometries[item.geometry];
      const morph = geometry.morph && item.weights ? new Morph(gl, geometry.morph) : null;
      return { ...item, number, geometry, morph };
    });
    this.blocks = new Float32Array(SLOT * Math.max(this.items.length, 1));
    this.instances = gl.createBuffer();
    images.forEach((image) => image.close?.());
  }

  material(data, images, textures) {
    const { gl } = this;
    const block = this.drawing.arrays.read(data.block);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, buffer);
    gl.bufferData(gl.UNIFORM_BUFFER, block, gl.DYNAMIC_DRAW);
    const used = data.textures.map((each) => {
      const key = JSON.stringify([each.image, each.srgb, each.wrap, each.filter]);
      if (!textures.has(key)) textures.set(key, textureOf(gl, each, images[each.image]));
      return { name: each.name, texture: textures.get(key) };
    });
    return { ...data, block, buffer, textures: used };
  }

  // Upload what changes with the pose: palettes, morph weights, instances, animated materials.
  writePose(look) {
    const { gl, motion, blocks } = this;
    this.off = this.properties.hidden();
    this.palettes.forEach((palette, k) => palette.write(motion.palettes[k]));
    for (const item of this.items) {
      const at = SLOT * item.number;
      if (item.skin >= 0) blocks.set(this.world, at);
      else multiply(this.world, 0, motion.matrices, 12 * item.joint, blocks, at);
      blocks.set([0, 0, 0, 1, this.displayed(item, look.weights)], at + 12);
      blocks[at + 17] = item.joint === look.weights ? 1 : 0;
      if (item.morph) item.morph.write(motion.others.subarray(item.weights[0], item.weights[0] + item.weights[1]));
    }
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.instances);
    gl.bufferData(gl.UNIFORM_BUFFER, blocks, gl.DYNAMIC_DRAW);
    for (const material of this.materials) {
      if (!material.animated) continue;
      this.properties.write(material.animated, material.block);
      gl.bindBuffer(gl.UNIFORM_BUFFER, material.buffer);
      gl.bufferSubData(gl.UNIFORM_BUFFER, 0, material.block);
    }
  }

  // The palette entry of a joint whose weights are displayed, -1: none.
  displayed(item, joint) {
    return item.skin < 0 || joint < 0 ? -1 : this.motion.skins[item.skin].joints.indexOf(joint);
  }

  // Whether the matrix of an item mirrors, which reverses the winding order.
  mirrored(item) {
    const [rows, at] = item.skin < 0 ? [this.motion.matrices, 12 * item.joint] : [this.motion.palettes[item.skin], 0];
    return determinant(rows, at) * determinant(this.world, 0) < 0;
  }

  // The lights of the file, as they are placed now.
  lights() {
    return this.data.lights.map((source) => {
      const { color, intensity, kind, range, inner, outer, joint } = this.properties.animated(source);
      const rows = new Float64Array(12);
      multiply(this.world, 0, this.motion.matrices, 12 * joint, rows, 0);
      const back = [rows[2], rows[6], rows[10]];
      const length = Math.hypot(...back) || 1;
      const shines = this.off[joint] ? 0 : intensity;
      const scale = 1 / Math.max(1e-3, Math.cos(inner) - Math.cos(outer));
      return {
        kind: KINDS[kind],
        color: color.map((x) => Math.min(Math.max(x * shines, 0), 1e9)),
        position: [rows[3], rows[7], rows[11]],
        backward: back.map((x) => x / length),
        range,
        cone: [scale, -Math.cos(outer) * scale],
      };
    });
  }

  // A camera of the file, as it is placed now.
  camera(number) {
    const source = this.properties.animated(this.data.cameras[number]);
    const rows = new Float64Array(12);
    multiply(this.world, 0, this.motion.matrices, 12 * source.joint, rows, 0);
    return new FileCamera(source, rows);
  }

  // Blended items from the farthest to the nearest, with the order of their triangles.
  backToFront(items, camera) {
    const ahead = camera.back.map((x) => -x);
    const { world } = this;
    const axis = [0, 1, 2].map((c) => ahead[0] * world[c] + ahead[1] * world[4 + c] + ahead[2] * world[8 + c]);
    const found = items.map((item) => {
      const rows = this.depthRows(item, axis);
      return { item, depth: item.geometry.middleDepth(rows), order: item.geometry.sorted(rows) };
    });
    return found.sort((a, b) => b.depth - a.depth);
  }

  // For each matrix of an item the row that gives the depth of a point along an axis.
  depthRows(item, axis) {
    const skinned = item.skin >= 0;
    const m = skinned ? this.motion.palettes[item.skin] : this.motion.matrices;
    const first = skinned ? 0 : 12 * item.joint;
    const count = skinned ? m.length / 12 : 1;
    const rows = new Float32Array(4 * count);
    for (let s = 0; s < count; s++)
      for (let c = 0; c < 4; c++) {
        const at = first + 12 * s + c;
        rows[4 * s + c] = axis[0] * m[at] + axis[1] * m[at + 4] + axis[2] * m[at + 8];
      }
    return rows;
  }
}

function determinant(m, at) {
  const [a, b, c, , d, e, f, , g, h, i] = m.subarray ? m.subarray(at, at + 12) : m;
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

async function decoded(image, arrays) {
  const blob = new Blob([arrays.read(image.data)], { type: image.mime });
  const exact = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
  try {
    return await createImageBitmap(blob, exact);
  } catch {
    return { width: 1, height: 1, pixels: new Uint8Array([255, 255, 255, 255]) }; // not read here
  }
}

function textureOf(gl, data, image) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + FIRST_TEXTURE);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  const stored = data.srgb ? gl.SRGB8_ALPHA8 : gl.RGBA8;
  if (image.pixels) gl.texImage2D(gl.TEXTURE_2D, 0, stored, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, image.pixels);
  else gl.texImage2D(gl.TEXTURE_2D, 0, stored, gl.RGBA, gl.UNSIGNED_BYTE, image);
  const [least, most] = data.filter;
  if (least >= gl.NEAREST_MIPMAP_NEAREST) gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, least);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, most);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, data.wrap[0]);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, data.wrap[1]);
  const sharper = gl.getExtension("EXT_texture_filter_anisotropic");
  if (sharper && !isSoftware(gl)) gl.texParameteri(gl.TEXTURE_2D, sharper.TEXTURE_MAX_ANISOTROPY_EXT, 4);
  return texture;
}

// Whether a program draws in place of a GPU, for which anisotropic filtering is slow.
function isSoftware(gl) {
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  const name = named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "";
  return /swiftshader|llvmpipe|software/i.test(name);
}

class Geometry {
  constructor(gl, data, arrays) {
    this.gl = gl;
    this.mode = data.mode;
    this.vertices = data.vertices;
    this.indices = data.indices && arrays.indices(data.indices);
    this.morph = data.morph && { ...data.morph, vertices: data.vertices, texture: morphTexture(gl, data.morph, arrays) };
    this.array = gl.createVertexArray();
    this.values = {};
    gl.bindVertexArray(this.array);
    for (const [name, [reference, width]] of Object.entries(data.attributes))
      this.attribute(name, arrays.rows(reference, width), width);
    this.buffer = this.indices && this.indexBuffer(this.indices);
    gl.bindVertexArray(null);
  }

  attribute(name, values, width) {
    const { gl } = this;
    const places = ATTRIBUTES.flatMap(([own], k) => (own === name ? [k] : []));
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    const size = values.BYTES_PER_ELEMENT;
    const parts = Math.ceil(width / 4);
    for (let k = 0; k < parts; k++) {
      gl.enableVertexAttribArray(places[k]);
      const [stride, offset] = [width * size, 4 * k * size];
      const count = Math.min(width, 4);
      if (values instanceof Float32Array) gl.vertexAttribPointer(places[k], count, gl.FLOAT, false, stride, offset);
      else gl.vertexAttribIPointer(places[k], count, size === 1 ? gl.UNSIGNED_BYTE : gl.UNSIGNED_SHORT, stride, offset);
    }
    this.values[name] = { values, width };
  }

  indexBuffer(indices) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    return buffer;
  }

  // Draw triangles in an order, if there is one, or their edges.
  draw(order = null, edges = false) {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (edges) return this.drawEdges();
    if (order) {
      if (!this.other) this.other = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.other);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STREAM_DRAW);
      gl.drawElements(this.mode, order.length, gl.UNSIGNED_INT, 0);
    } else if (this.indices) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffer);
      gl.drawElements(this.mode, this.indices.length, gl.UNSIGNED_INT, 0);
    } else gl.drawArrays(this.mode, 0, this.vertices);
  }

  drawEdges() {
    const { gl } = this;
    if (!this.edges) {
      const lines = new Set();
      const corners = this.corners;
      for (let k = 0; k + 2 < corners.length; k += 3)
        for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
          const [i, j] = [corners[k + a], corners[k + b]];
          lines.add(Math.min(i, j) * this.vertices + Math.max(i, j));
        }
      const ends = [...lines].flatMap((edge) => [Math.floor(edge / this.vertices), edge % this.vertices]);
      this.edges = { buffer: this.indexBuffer(new Uint32Array(ends)), count: ends.length };
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.edges.buffer);
    gl.drawElements(gl.LINES, this.edges.count, gl.UNSIGNED_INT, 0);
  }

  get corners() {
    return this.indices || Uint32Array.from({ length: this.vertices }, (_, k) => k);
  }

  // The depth of every vertex by the rows of its matrices.
  depths(rows) {
    const { values } = this.values.position;
    const { joints, weights } = this.values;
    const found = new Float32Array(this.vertices);
    for (let v = 0; v < this.vertices; v++) {
      const [x, y, z] = [values[3 * v], values[3 * v + 1], values[3 * v + 2]];
      const count = joints ? joints.width : 1;
      for (let k = 0; k < count; k++) {
        const s = joints ? 4 * joints.values[count * v + k] : 0;
        const share = joints ? weights.values[count * v + k] : 1;
        if (share) found[v] += share * (rows[s] * x + rows[s + 1] * y + rows[s + 2] * z + rows[s + 3]);
      }
    }
    return found;
  }

  middleDepth(rows) {
    this.depth = this.depths(rows);
    return this.depth.reduce((sum, x) => sum + x, 0) / Math.max(this.vertices, 1);
  }

  // The triangles from the farthest to the nearest; null if they are too many.
  sorted() {
    const corners = this.corners;
    const count = corners.length / 3;
    if (this.mode !== this.gl.TRIANGLES || count < 2 || count > MOST_SORTED) return null;
    const far = new Float32Array(count);
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) far[k] += this.depth[corners[3 * k + c]];
    const order = Uint32Array.from(far.keys()).sort((a, b) => far[b] - far[a] || a - b);
    const found = new Uint32Array(3 * count);
    order.forEach((from, k) => found.set(corners.subarray(3 * from, 3 * from + 3), 3 * k));
    return found;
  }
}

// A palette: a uniform block, or a texture for many joints.
class Palette {
  constructor(gl, rows) {
    this.gl = gl;
    this.small = rows.length <= 12 * 341; // 16 KB, the guaranteed size of a block
    if (this.small) {
      this.buffer = gl.createBuffer();
      this.padded = new Float32Array(12 * 341);
      return;
    }
    this.width = Math.min(rows.length / 4, 3072);
    this.padded = new Float32Array(4 * this.width * Math.ceil(rows.length / 4 / this.width));
    this.texture = gl.createTexture();
  }

  write(rows) {
    const { gl, padded } = this;
    padded.set(rows);
    if (this.small) {
      gl.bindBuffer(gl.UNIFORM_BUFFER, this.buffer);
      gl.bufferData(gl.UNIFORM_BUFFER, padded, gl.DYNAMIC_DRAW);
      return;
    }
    gl.activeTexture(gl.TEXTURE0 + PALETTE);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    dataTexture(gl, gl.RGBA32F, gl.RGBA, this.width, padded.length / 4 / this.width, padded);
  }

  bind() {
    const { gl } = this;
    if (this.small) return gl.bindBufferBase(gl.UNIFORM_BUFFER, 1, this.buffer);
    gl.activeTexture(gl.TEXTURE0 + PALETTE);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
  }
}

// The active targets of an item, and the displacements of its geometry (lib/morph.glsl).
class Morph {
  constructor(gl, data) {
    Object.assign(this, { gl, data, texture: gl.createTexture(), active: 0 });
  }

  write(weights) {
    const { gl, data } = this;
    const used = [...weights.keys()].filter((k) => weights[k] !== 0);
    const height = Math.max(1, Math.ceil(used.length / data.width));
    const texels = new Float32Array(2 * data.width * height);
    used.forEach((target, k) => texels.set([target, weights[target]], 2 * k));
    this.active = used.length;
    gl.activeTexture(gl.TEXTURE0 + ACTIVE);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    dataTexture(gl, gl.RG32F, gl.RG, data.width, height, texels);
  }

  bind({ uniforms }) {
    const { gl, data } = this;
    for (const [unit, texture] of [[MORPH, data.texture], [ACTIVE, this.texture]]) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    }
    const layout = [this.active, data.vertices, ...data.layout];
    if (uniforms.morph_layout) gl.uniform4i(uniforms.morph_layout.place, ...layout);
    if (uniforms.morph_parts) gl.uniform1i(uniforms.morph_parts.place, data.parts);
  }
}

function morphTexture(gl, data, arrays) {
  const texels = arrays.read(data.texels);
  const height = Math.max(1, Math.ceil(texels.length / 3 / data.width));
  const padded = new Float32Array(3 * data.width * height);
  padded.set(texels);
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + MORPH);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  dataTexture(gl, gl.RGB32F, gl.RGB, data.width, height, padded);
  return texture;
}

function dataTexture(gl, stored, format, width, height, values) {
  gl.texImage2D(gl.TEXTURE_2D, 0, stored, width, height, 0, format, gl.FLOAT, values);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
}
