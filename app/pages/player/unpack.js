// The data of a page: base64 of a zlib stream of a JSON manifest and arrays in byte planes.

const TYPES = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f2: Uint16Array,
  f4: Float32Array,
};

async function unpack(text) {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) packed[k] = letters.charCodeAt(k);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const manifest = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { manifest, arrays: new PackedArrays(bytes.subarray(4 + length)) };
}

class PackedArrays {
  constructor(bytes) {
    this.bytes = bytes;
  }

  // The numbers of a reference: [type, first byte, count].
  read([kind, first, count]) {
    const found = new TYPES[kind](count);
    const size = found.BYTES_PER_ELEMENT;
    if (size === 1) return this.bytes.slice(first, first + count);
    const raw = new Uint8Array(found.buffer);
    for (let plane = 0; plane < size; plane++) {
      let from = first + plane * count;
      for (let to = plane; to < raw.length; to += size) raw[to] = this.bytes[from++];
    }
    return found;
  }

  // Rows of components, which are stored by component.
  rows([kind, first, count], width) {
    const columns = this.read([kind, first, count]);
    const found = new columns.constructor(count);
    const length = count / width;
    for (let c = 0; c < width; c++)
      for (let k = 0, to = c; k < length; k++, to += width) found[to] = columns[c * length + k];
    return found;
  }

  // Indices, which are stored as differences folded to 0, 1, 2 for 0, -1, 1.
  indices(reference) {
    const found = this.read(reference);
    let last = 0;
    for (let k = 0; k < found.length; k++) {
      const step = found[k];
      last += step & 1 ? -((step + 1) / 2) : step / 2;
      found[k] = last;
    }
    return found;
  }
}
