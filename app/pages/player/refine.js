// A still picture with 16 samples a pixel, averaged in linear light, drawn in tiles: as `render`
// does, four pictures of twice the resolution, each shifted by a part of a pixel.

const ZOOM = 2; // samples along each edge of a pixel
const TILE = 1024; // pixels of an edge of a tile
const SLOW = 300; // milliseconds of the first sample
const SHIFTS = shiftsOf(4); // pixels

// Points of the R2 sequence with mean 0, for pictures of `ZOOM`.
function shiftsOf(count) {
  const points = [...Array(count).keys()].map((k) => [0.7548776662466927, 0.5698402909980532].map((x) => (0.5 + k * x) % 1));
  const mean = [0, 1].map((c) => points.reduce((sum, point) => sum + point[c], 0) / count);
  return points.map((point) => point.map((x, c) => (x - mean[c]) / ZOOM));
}

class Refined {
  constructor(drawing) {
    const { gl } = drawing;
    this.drawing = drawing;
    this.possible = gl.getExtension("EXT_color_buffer_float") || gl.getExtension("EXT_color_buffer_half_float");
  }

  // Draw tile by tile, a sample in each frame of the browser, unless `isStale` says so; show all.
  // Where a sample takes longer than `SLOW`, as without a GPU, it gives up for good.
  async draw(render, isStale, pause) {
    if (!this.possible) return;
    const own = (this.runs = (this.runs ?? 0) + 1); // another run takes the place of this one
    const begun = performance.now();
    const next = pause || (() => new Promise(requestAnimationFrame));
    const { gl, canvas } = this.drawing;
    const [width, height] = [canvas.width, canvas.height];
    this.prepare(width, height);
    for (let y = 0; y < height; y += TILE)
      for (let x = 0; x < width; x += TILE) {
        for (const [k, shift] of SHIFTS.entries()) {
          render({ framebuffer: this.samples.framebuffer, zoom: ZOOM, x, y, shift });
          gl.bindFramebuffer(gl.FRAMEBUFFER, this.sums.framebuffer);
          this.square("average.frag", "samples_texture", this.samples, [0, 0, TILE, TILE], k > 0);
          await next();
          if (isStale() || own !== this.runs) return;
          if (!pause && x + y + k === 0 && performance.now() - begun > SLOW) this.possible = false;
          if (!this.possible) return;
        }
        const part = [x, y, Math.min(TILE, width - x), Math.min(TILE, height - y)];
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.picture.framebuffer);
        this.square("encode.frag", "light_texture", this.sums, part);
      }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.square("copy.frag", "copied_texture", this.picture, [0, 0, width, height]);
  }

  square(fragment, name, { texture }, view, adds = false) {
    const { gl } = this.drawing;
    const { made, uniforms } = this.drawing.program("square.vert", fragment, {});
    gl.useProgram(made);
    gl.viewport(...view);
    for (const each of [gl.DEPTH_TEST, gl.BLEND, gl.SCISSOR_TEST, gl.CULL_FACE]) gl.disable(each);
    if (adds) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE);
    }
    gl.bindVertexArray(null);
    gl.activeTexture(gl.TEXTURE0 + uniforms[name].unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (uniforms.tile_origin) gl.uniform2i(uniforms.tile_origin.place, view[0], view[1]);
    if (uniforms.samples_share) gl.uniform1f(uniforms.samples_share.place, 1 / (4 * SHIFTS.length));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  prepare(width, height) {
    const { gl } = this.drawing;
    if (!this.samples) {
      this.samples = this.target(TILE * ZOOM, TILE * ZOOM, gl.RGBA8, true);
      this.sums = this.target(TILE, TILE, gl.RGBA16F);
    }
    if (this.picture?.width === width && this.picture?.height === height) return;
    if (this.picture) {
      gl.deleteTexture(this.picture.texture);
      gl.deleteFramebuffer(this.picture.framebuffer);
    }
    this.picture = this.target(width, height, gl.RGBA8);
  }

  target(width, height, stored, deep = false) {
    const { gl } = this.drawing;
    const [texture, framebuffer] = [gl.createTexture(), gl.createFramebuffer()];
    gl.activeTexture(gl.TEXTURE0 + FIRST_TEXTURE);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, stored, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    if (deep) {
      const depth = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    }
    return { texture, framebuffer, width, height };
  }
}
