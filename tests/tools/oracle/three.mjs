// Poses and vertices by three.js, without a window: the second witness.
// node three.mjs FOLDER_OF_THREE JOB.json OUT.json
// The job: {file, samples: [{clip, time, loop}], instances: [{node, primitive, in_scene}],
// vertices: [[index]], skins: [[joint]], weights: [{node}]}.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, jobPath, outPath] = process.argv.slice(2);
const part = path => import(pathToFileURL(join(folder, path)));

// What a browser has and node has not, as far as loading without textures needs it.
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const THREE = await part('build/three.module.js');
const { GLTFLoader } = await part('examples/jsm/loaders/GLTFLoader.js');

const warnings = [];
console.warn = console.error = (...words) => warnings.push(words.join(' '));

// Materials, and the textures they name, change no vertex.
const plain = () => ({ name: 'plain', loadMaterial: async () => new THREE.MeshBasicMaterial() });

// three.js reads the first four influences of a vertex and scales them to a sum of 1. Where there
// are eight, the first four stay as they are, and `skinned` takes all of them.
const normalize = THREE.SkinnedMesh.prototype.normalizeSkinWeights;
THREE.SkinnedMesh.prototype.normalizeSkinWeights = function () {
  if (!this.geometry.attributes.weights_1) normalize.call(this);
};

function skinned(mesh, index, target) {
  const { skinIndex, skinWeight, joints_1, weights_1 } = mesh.geometry.attributes;
  THREE.Mesh.prototype.getVertexPosition.call(mesh, index, target);
  const at = target.clone(), bone = new THREE.Matrix4();
  target.set(0, 0, 0);
  let sum = 0;
  for (const [joints, weights] of [[skinIndex, skinWeight], [joints_1, weights_1]]) {
    for (let i = 0; i < 4; i++) {
      const weight = weights.getComponent(index, i), j = joints.getComponent(index, i);
      bone.multiplyMatrices(mesh.skeleton.bones[j].matrixWorld, mesh.skeleton.boneInverses[j]);
      target.addScaledVector(at.clone().applyMatrix4(bone), weight);
      sum += weight;
    }
  }
  return target.divideScalar(sum);
}

function world(mesh, index, target) {
  if (mesh.geometry.attributes.weights_1) return skinned(mesh, index, target);
  return mesh.getVertexPosition(index, target).applyMatrix4(mesh.matrixWorld);
}

const rows = matrix => matrix.clone().transpose().elements; // row after row

const job = JSON.parse(readFileSync(jobPath, 'utf8'));
const bytes = readFileSync(job.file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const file = await new GLTFLoader().register(plain).parseAsync(buffer, '');
const { parser } = file;
const nodes = await Promise.all(parser.json.nodes.map((_, n) => parser.getDependency('node', n)));

const root = new THREE.Group(); // of all nodes, also of those outside the scene
const below = new Set(parser.json.nodes.flatMap(node => node.children ?? []));
nodes.forEach((node, n) => { if (!below.has(n)) root.add(node); });

// The primitives of a mesh with several are the first children of its node.
const meshOf = (n, primitive) => (nodes[n].isGroup ? nodes[n].children[primitive] : nodes[n]);
const meshes = job.instances.map(({ node, primitive }) => meshOf(node, primitive));

const mixer = new THREE.AnimationMixer(root);
const point = new THREE.Vector3();

function pose({ clip, time, loop }) {
  mixer.stopAllAction();
  if (clip >= 0) {
    const action = mixer.clipAction(file.animations[clip]).reset();
    action.setLoop(loop ? THREE.LoopRepeat : THREE.LoopOnce, loop ? Infinity : 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  root.updateMatrixWorld(true);
}

function numbers(sample) {
  pose(sample);
  const found = {
    T: nodes.map(node => node.position.toArray()),
    R: nodes.map(node => node.quaternion.toArray()),
    S: nodes.map(node => node.scale.toArray()),
    world: nodes.map(node => rows(node.matrixWorld)),
    weights: job.weights.flatMap(({ node }) => meshOf(node, 0).morphTargetInfluences.slice()),
  };
  job.skins.forEach((joints, s) => {
    const { skeleton } = meshes[job.instances.findIndex(({ skin }) => skin === s)];
    found[`palette_${s}`] = joints.map((n, j) =>
      rows(new THREE.Matrix4().multiplyMatrices(nodes[n].matrixWorld, skeleton.boneInverses[j])));
  });
  const box = new THREE.Box3();
  meshes.forEach((mesh, i) => {
    found[`verts_${i}`] = job.vertices[i].map(v => world(mesh, v, point).toArray());
    if (!job.instances[i].in_scene) return;
    const { count } = mesh.geometry.attributes.position;
    for (let v = 0; v < count; v++) box.expandByPoint(world(mesh, v, point));
  });
  found.aabb = [box.min.toArray(), box.max.toArray()];
  return found;
}

writeFileSync(outPath, JSON.stringify({
  revision: THREE.REVISION,
  warnings,
  samples: job.samples.map(numbers),
}));
