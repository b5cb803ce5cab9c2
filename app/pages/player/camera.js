// The orbit camera, and matrices. Angles in radians, azimuth 0 in front (+Z); metres.

const POLE = (89.5 * Math.PI) / 180; // greatest elevation: at the poles "up" is undefined
const WHEEL = 0.88; // factor of the distance of one notch of the wheel
const VIEWS = {
  front: [0, 0],
  right: [90, 0],
  back: [180, 0],
  left: [-90, 0],
  top: [0, 89.5],
  bottom: [0, -89.5],
  iso: [45, 35.264],
};

class OrbitCamera {
  // `given` are the cameras that frame a clip in pictures of `aspects`.
  constructor(given, aspects, scene) {
    Object.assign(this, { aspects, scene, shape: 0 });
    this.place(given);
    this.followed = [0, 0, 0]; // added to the target: the path of the root
  }

  place(given) {
    this.given = given;
    const chosen = given[this.shape];
    Object.assign(this, { ...chosen, target: [...chosen.target] });
    this.moved = false;
  }

  // Frame another clip, as seen from here, unless somebody has moved the camera.
  reframe(given) {
    this.given = given;
    if (this.moved) return;
    const chosen = given[this.shape];
    [this.target, this.distance] = [[...chosen.target], chosen.distance];
  }

  // Frame the clip in a picture of another shape.
  fit(aspect) {
    const shape = aspect < 1 ? 1 : 0;
    if (shape === this.shape) return;
    this.shape = shape;
    this.reframe(this.given);
  }

  // Width over height of the picture that it frames.
  get aspect() {
    return this.aspects[this.shape];
  }

  get back() {
    const flat = Math.cos(this.elevation);
    return [Math.sin(this.azimuth) * flat, Math.sin(this.elevation), Math.cos(this.azimuth) * flat];
  }

  get eye() {
    return this.target.map((x, k) => x + this.followed[k] + this.back[k] * this.distance);
  }

  // Unit vectors to the right, up and backward.
  get axes() {
    const [sine, cosine] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [x, y, z] = this.back;
    return [[cosine, 0, -sine], [-y * sine, z * cosine + x * sine, -y * cosine], [x, y, z]];
  }

  orbit(right, up) {
    this.azimuth += right;
    this.elevation = Math.max(-POLE, Math.min(POLE, this.elevation + up));
    this.moved = true;
  }

  // Move across by fractions of the picture's height.
  pan(right, up) {
    const height = 2 * this.distance * Math.tan(this.fov / 2);
    const [x, y] = this.axes;
    this.target = this.target.map((t, k) => t + (x[k] * right + y[k] * up) * height);
    this.moved = true;
  }

  zoom(notches) {
    const [least, most] = this.scene.limits;
    this.distance = Math.min(Math.max(this.distance * WHEEL ** notches, least), most);
    this.moved = true;
  }

  view(name) {
    const [azimuth, elevation] = VIEWS[name];
    this.azimuth = (azimuth * Math.PI) / 180 + this.scene.front;
    this.elevation = Math.max(-POLE, Math.min(POLE, (elevation * Math.PI) / 180));
  }

  // World to clip space, row by row; a narrow picture shows as much of the width as the framed one.
  matrix(aspect) {
    const { near, far } = this.planes();
    const slope = Math.tan(this.fov / 2) * Math.max(1, this.aspect / aspect);
    const half = this.distance * slope;
    const p = new Float64Array(16);
    if (this.ortho) {
      p.set([1 / (half * aspect), 0, 0, 0, 0, 1 / half]);
      p.set([2 / (near - far), (far + near) / (near - far), 0, 0, 0, 1], 10);
    } else {
      p.set([1 / (slope * aspect), 0, 0, 0, 0, 1 / slope]);
      p.set([(far + near) / (near - far), (2 * far * near) / (near - far), 0, 0, -1, 0], 10);
    }
    return { projection: p, world: product(p, viewMatrix(this.axes, this.eye)) };
  }

  planes() {
    const { middle, radius } = this.scene;
    const offset = this.target.map((x, k) => x - middle[k]);
    const away = this.distance + dot(offset, this.back);
    if (this.ortho) {
      const deep = Math.max(60 * radius, Math.abs(away) * 1e-6);
      return { near: away - deep, far: away + deep };
    }
    const end = Math.hypot(...offset.map((x, k) => x + this.back[k] * this.distance)) + radius;
    const distance = Math.min(this.distance, end);
    const near = Math.max(distance * 0.02, (away - 12 * radius) * 0.5);
    return { near, far: Math.max(away, distance) + 60 * radius };
  }
}

// A camera of a file, placed by the rows of its world matrix, looking along its -Z.
class FileCamera {
  constructor(shown, rows) {
    this.shown = shown;
    this.ortho = shown.ortho;
    const column = (k) => [rows[k], rows[4 + k], rows[8 + k]];
    const unit = (v) => v.map((x) => x / (Math.hypot(...v) || 1));
    this.eye = column(3);
    this.back = unit(column(2));
    const right = unit(cross(column(1), this.back));
    this.axes = [right, cross(this.back, right), this.back];
  }

  matrix(aspect) {
    const { yfov, ymag, near, far } = this.shown;
    const p = new Float64Array(16);
    if (this.ortho) {
      p.set([1 / (ymag * aspect), 0, 0, 0, 0, 1 / ymag]);
      p.set([2 / (near - far), (far + near) / (near - far), 0, 0, 0, 1], 10);
    } else {
      const slope = 1 / Math.tan(yfov / 2);
      const endless = far === null;
      p.set([slope / aspect, 0, 0, 0, 0, slope]);
      p[10] = endless ? -1 : (far + near) / (near - far);
      p[11] = endless ? -2 * near : (2 * far * near) / (near - far);
      p[14] = -1;
    }
    return { projection: p, world: product(p, viewMatrix(this.axes, this.eye)) };
  }
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function viewMatrix(axes, eye) {
  return [...axes.flatMap((axis) => [...axis, -dot(axis, eye)]), 0, 0, 0, 1];
}

// The product of two 4 x 4 matrices, row by row.
function product(a, b) {
  const out = new Float64Array(16);
  for (let i = 0; i < 4; i++)
    for (let k = 0; k < 4; k++)
      for (let n = 0; n < 4; n++) out[4 * i + k] += a[4 * i + n] * b[4 * n + k];
  return out;
}
