// three.js in node: poses, and loading without images. Reads a job and then bursts from stdin, one
// JSON object a line, and answers each with one: see burst_worker.py.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class { constructor(type, more) { Object.assign(this, { type }, more); } };
const part = name => import(pathToFileURL(path.join(process.argv[2], name)));
const THREE = await part('build/three.module.js');
const { GLTFLoader } = await part('examples/jsm/loaders/GLTFLoader.js');
const { clone } = await part('examples/jsm/utils/SkeletonUtils.js');

function load(file) {
  const data = fs.readFileSync(file);
  const loader = new GLTFLoader();
  loader.register(parser => { // node has no pictures
    parser.loadTexture = async () => new THREE.Texture();
    return { name: 'no_images' };
  });
  const content = file.endsWith('.gltf') ? data.toString('utf8')
    : data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  return new Promise((done, failed) => loader.parse(content, '', done, failed));
}

// A character with one skeleton per skin: SkeletonUtils.clone makes one per mesh.
function character(root, clip, time) {
  const mixer = new THREE.AnimationMixer(root), skeletons = new Map();
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  root.traverse(node => {
    if (node.isSkinnedMesh && !skeletons.has(node.skeleton.boneInverses)) {
      skeletons.set(node.skeleton.boneInverses, node.skeleton);
    }
  });
  return { root, mixer, skeletons: [...skeletons.values()] };
}

const tasks = {
  load: async job => () => load(job.path),
  pose: async job => {
    const file = await load(job.path);
    const clip = file.animations.find(each => each.name === job.clip) || file.animations[0];
    const characters = Array.from({ length: job.count }, (_, k) =>
      character(job.count === 1 ? file.scene : clone(file.scene), clip, clip.duration * k / job.count));
    return () => {
      for (const each of characters) {
        each.mixer.update(1 / 60);
        each.root.updateMatrixWorld();
        for (const skeleton of each.skeletons) skeleton.update();
      }
    };
  },
};

// Calls the work so often, or for some seconds.
async function measure(work, { calls, burst }) {
  const cpu = process.cpuUsage(), begin = process.hrtime.bigint();
  let count = 0, step = calls || 1, passed = 0;
  while (calls ? count < calls : passed < burst) {
    for (let k = 0; k < step; k++) { // an await costs as much as a pose
      const waited = work();
      if (waited) await waited;
    }
    count += step;
    passed = Number(process.hrtime.bigint() - begin) / 1e9;
    const left = (burst - passed) * count / passed; // calls
    step = Math.floor(Math.max(1, Math.min(step * 2, left / 2, 4096)));
  }
  const used = process.cpuUsage(cpu);
  return { wall: passed / count, cpu: (used.user + used.system) / 1e6 / count };
}

let work;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  let answer = { ready: THREE.REVISION };
  if (job.task) work = await tasks[job.task](job);
  else answer = await measure(work, job);
  process.stdout.write(JSON.stringify(answer) + '\n');
}
