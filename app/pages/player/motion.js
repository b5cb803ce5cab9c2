// The motion of a character: tracks to a pose, the hierarchy to matrices, palettes of skins.
// A pose is an array of the translations, scales and rotations of J joints, and other values.

const [STEP, LINEAR, CUBICSPLINE] = [0, 1, 2];
const ROTATION = 2; // of the paths translation, scale, rotation, values
const COLUMNS = ["target", "path", "interpolation", "time", "keys", "value", "tangent", "width", "start"];

// The last key at or before a time, from `first` on; 0 before all of them.
function keyAt(times, first, count, time) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[first + middle] <= time) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

function normalize(out, at) {
  const length = Math.hypot(out[at], out[at + 1], out[at + 2], out[at + 3]) || 1;
  for (let c = 0; c < 4; c++) out[at + c] /= length;
}

class Motion {
  constructor(data, arrays) {
    this.names = data.joints;
    this.parents = arrays.read(data.parents);
    this.rest = arrays.read(data.rest);
    this.count = this.parents.length;
    this.skins = data.skins.map((skin) => ({
      joints: arrays.read(skin.joints),
      bind: arrays.read(skin.bind),
    }));
    this.clips = data.clips.list;
    this.times = arrays.read(data.clips.times);
    this.values = arrays.read(data.clips.values);
    this.tracks = {};
    const table = arrays.read(data.clips.tracks);
    const count = data.clips.count;
    COLUMNS.forEach((name, k) => (this.tracks[name] = table.subarray(k * count, (k + 1) * count)));
    const begins = [0, 3, 6, 10].map((components) => components * this.count);
    this.columns = this.tracks.target.map((target, k) => {
      const path = this.tracks.path[k];
      return begins[path] + (path < 3 ? this.tracks.width[k] * target : this.tracks.start[k]);
    });
    this.pose = this.rest.slice();
    this.matrices = new Float64Array(12 * this.count); // rows of joint space to model space
    this.palettes = this.skins.map((skin) => new Float32Array(12 * skin.joints.length));
  }

  // Other values of the pose: morph weights, animated properties.
  get others() {
    return this.pose.subarray(10 * this.count);
  }

  // Sample a clip at a time in seconds, -1: the rest pose; compute matrices and palettes.
  evaluate(number, time) {
    this.pose.set(this.rest);
    const clip = this.clips[number];
    if (clip) {
      const seconds = Math.min(Math.max(time, Math.min(clip.start, 0)), clip.end);
      for (let k = clip.tracks[0]; k < clip.tracks[1]; k++) this.sample(k, seconds, clip.nlerp);
    }
    this.toModel();
    this.toPalettes();
  }

  // Where the camera is while it follows the root of a clip.
  place(number, time) {
    const path = this.clips[number]?.path;
    if (!path) return [0, 0, 0];
    const [first, keys, begin] = path;
    const key = keyAt(this.times, first, keys, time);
    const after = Math.min(key + 1, keys - 1);
    const length = this.times[first + after] - this.times[first + key];
    const u = length > 0 ? Math.min(Math.max((time - this.times[first + key]) / length, 0), 1) : 0;
    return [0, 1, 2].map((c) => {
      const [a, b] = [this.values[begin + c * keys + key], this.values[begin + c * keys + after]];
      return a + (b - a) * u;
    });
  }

  // glTF 2.0, section 3.11 and appendix C.
  sample(k, seconds, nlerp) {
    const { times, values, tracks, pose } = this;
    const [keys, width, out] = [tracks.keys[k], tracks.width[k], this.columns[k]];
    const [first, begin] = [tracks.time[k], tracks.value[k]];
    const rounded = Math.fround(seconds); // as keys are stored
    const key = keyAt(times, first, keys, rounded);
    const after = Math.min(key + 1, keys - 1);
    const [now, then] = [times[first + key], times[first + after]];
    const length = then - now;
    const u = length > 0 && rounded > now ? Math.min((seconds - now) / length, 1) : 0;
    const kind = tracks.interpolation[k];
    const turns = tracks.path[k] === ROTATION;
    if (kind === CUBICSPLINE) {
      const tangent = tracks.tangent[k]; // by key: in, then out
      const [u2, u3] = [u * u, u * u * u];
      for (let c = 0; c < width; c++) {
        const [a, b] = [values[begin + c * keys + key], values[begin + c * keys + after]];
        const leave = tangent < 0 ? 0 : values[tangent + (2 * key + 1) * width + c] * length;
        const arrive = tangent < 0 ? 0 : values[tangent + 2 * after * width + c] * length;
        pose[out + c] =
          (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * leave + (3 * u2 - 2 * u3) * b + (u3 - u2) * arrive;
      }
      if (turns) normalize(pose, out);
      return;
    }
    if (kind === STEP || u === 0) {
      for (let c = 0; c < width; c++) pose[out + c] = values[begin + c * keys + key];
      return;
    }
    let [a, b] = [1 - u, u]; // shares of the two keys
    if (turns) {
      let cosine = 0;
      for (let c = 0; c < 4; c++) {
        cosine += values[begin + c * keys + key] * values[begin + c * keys + after];
      }
      const sign = cosine < 0 ? -1 : 1; // the shorter arc
      const angle = Math.acos(Math.min(cosine * sign, 1));
      if (!nlerp && angle > 1e-4) {
        const sine = Math.sin(angle);
        [a, b] = [Math.sin(a * angle) / sine, Math.sin(b * angle) / sine];
      }
      b *= sign;
    }
    for (let c = 0; c < width; c++) {
      pose[out + c] = a * values[begin + c * keys + key] + b * values[begin + c * keys + after];
    }
    if (turns) normalize(pose, out);
  }

  // Compose all joints, parents first.
  toModel() {
    const { pose, matrices, parents, count } = this;
    const local = this.local || (this.local = new Float64Array(12));
    for (let j = 0; j < count; j++) {
      const [t, s, r] = [3 * j, 3 * (count + j), 6 * count + 4 * j];
      const [x, y, z, w] = [pose[r], pose[r + 1], pose[r + 2], pose[r + 3]];
      const [sx, sy, sz] = [pose[s], pose[s + 1], pose[s + 2]];
      local[0] = (1 - 2 * (y * y + z * z)) * sx;
      local[1] = 2 * (x * y - z * w) * sy;
      local[2] = 2 * (x * z + y * w) * sz;
      local[3] = pose[t];
      local[4] = 2 * (x * y + z * w) * sx;
      local[5] = (1 - 2 * (x * x + z * z)) * sy;
      local[6] = 2 * (y * z - x * w) * sz;
      local[7] = pose[t + 1];
      local[8] = 2 * (x * z - y * w) * sx;
      local[9] = 2 * (y * z + x * w) * sy;
      local[10] = (1 - 2 * (x * x + y * y)) * sz;
      local[11] = pose[t + 2];
      if (parents[j] < 0) matrices.set(local, 12 * j);
      else multiply(matrices, 12 * parents[j], local, 0, matrices, 12 * j);
    }
  }

  // The palette of each skin: model matrix times inverse bind matrix (section 3.7.3).
  toPalettes() {
    this.skins.forEach((skin, k) => {
      const palette = this.palettes[k];
      for (let s = 0; s < skin.joints.length; s++)
        multiply(this.matrices, 12 * skin.joints[s], skin.bind, 12 * s, palette, 12 * s);
    });
  }

  // The position of a joint in model space.
  position(joint) {
    const at = 12 * joint;
    return [this.matrices[at + 3], this.matrices[at + 7], this.matrices[at + 11]];
  }
}

// The product of two affine matrices of three rows.
function multiply(a, i, b, k, out, o) {
  for (let row = 0; row < 3; row++) {
    const [x, y, z] = [a[i + 4 * row], a[i + 4 * row + 1], a[i + 4 * row + 2]];
    const at = o + 4 * row;
    out[at] = x * b[k] + y * b[k + 4] + z * b[k + 8];
    out[at + 1] = x * b[k + 1] + y * b[k + 5] + z * b[k + 9];
    out[at + 2] = x * b[k + 2] + y * b[k + 6] + z * b[k + 10];
    out[at + 3] = x * b[k + 3] + y * b[k + 7] + z * b[k + 11] + a[i + 4 * row + 3];
  }
}

// Animated properties: visibility, materials, lights and cameras at the values of a pose.
class Properties {
  constructor(data, motion) {
    this.motion = motion;
    this.visibility = data.visibility;
    this.off = new Uint8Array(motion.count);
  }

  // Which joints hide their meshes, below hidden ones too.
  hidden() {
    const { off, motion, visibility } = this;
    off.fill(0);
    for (const joint of visibility.hidden) off[joint] = 1;
    for (const [joint, column] of visibility.switched) off[joint] = motion.others[column] < 0.5 ? 1 : 0;
    if (visibility.switched.length)
      for (let j = 0; j < motion.count; j++) if (motion.parents[j] >= 0) off[j] |= off[motion.parents[j]];
    return off;
  }

  // Write the animated values of a material into its block.
  write(animated, block) {
    const values = this.motion.others;
    for (const [from, width, to, low, high] of animated.copied)
      for (let c = 0; c < width; c++)
        block[to + c] = Math.min(Math.max(values[from + c], low ?? -Infinity), high ?? Infinity);
    const emission = animated.emission;
    if (emission) {
      let { color, strength } = emission;
      for (const [name, from] of emission.parts) {
        if (name === "emissive_strength") strength = Math.max(values[from], 0);
        else color = [0, 1, 2].map((c) => Math.min(Math.max(values[from + c], 0), 1));
      }
      for (let c = 0; c < 3; c++) block[emission.start + c] = color[c] * strength;
    }
    for (const ref of animated.moved) {
      const moved = { offset: ref.offset, rotation: ref.rotation, scale: ref.scale };
      for (const [part, from] of ref.parts)
        moved[part] = part === "rotation" ? values[from] : [values[from], values[from + 1]];
      const [sine, cosine] = [Math.sin(moved.rotation), Math.cos(moved.rotation)];
      const at = 4 * ref.vector;
      block.set([cosine * moved.scale[0], sine * moved.scale[1], moved.offset[0]], at);
      block.set([-sine * moved.scale[0], cosine * moved.scale[1], moved.offset[1]], at + 4);
    }
  }

  // A light or camera with its animated values.
  animated(source) {
    const found = { ...source };
    for (const [name, from, width] of source.animated) {
      const own = [...this.motion.others.subarray(from, from + width)];
      const key = { "spot/innerConeAngle": "inner", "spot/outerConeAngle": "outer" }[name] || name;
      found[key] = width > 1 ? own.map((x) => Math.max(x, 0)) : key === "intensity" ? own[0] * source.gain : own[0];
    }
    return found;
  }
}
