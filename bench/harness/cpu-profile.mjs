/**
 * Adds up what a CPU profile has seen. `placeOf` says where a sampled frame belongs: a group, and a name for the
 * function when it is worth telling apart, or undefined.
 *
 * @param {{ nodes: object[], samples: number[], timeDeltas: number[] }} profile as V8 gives it
 * @param {(frame: object) => { group: string, name?: string }} placeOf
 * @returns {{ microseconds: number, groups: [string, number][], functions: [string, number][] }} most time first
 */
export function timesOf({ nodes, samples, timeDeltas }, placeOf) {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const groups = new Map();
  const functions = new Map();
  let microseconds = 0;
  // A delta is the time since the sample before: it belongs to that one.
  for (let i = 0; i + 1 < samples.length; i++) {
    const time = Math.max(0, timeDeltas[i + 1]);
    const { group, name } = places.get(samples[i]);
    microseconds += time;
    add(groups, group, time);
    if (name !== undefined) add(functions, `${group} ${name}`, time);
  }
  return { microseconds, groups: mostFirst(groups), functions: mostFirst(functions) };
}

/** How V8 names what is no function. */
const ENGINE = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(idle)', 'idle'],
  ['(program)', 'native code'],
  ['(root)', 'native code'],
]);

/**
 * Where frames belong: to a file of `sources`, to a package, to Node.js, to the bench, or to V8 itself.
 *
 * @param {(line: number, column: number) => string | undefined} originalFile the source behind a place in `bundle`
 * @param {string} bundle the URL of the file that holds the sources
 */
export function placesBy(originalFile, bundle) {
  return ({ functionName, url, lineNumber, columnNumber }) => {
    if (ENGINE.has(functionName)) return { group: ENGINE.get(functionName) };
    if (url === bundle) {
      const file = originalFile(lineNumber, columnNumber) || 'rebottle';
      return { group: file, name: functionName || `(anonymous, line ${lineNumber + 1})` };
    }
    if (url === '' || url.startsWith('node:')) return { group: 'Node.js' };
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    return { group: name ?? 'the benchmark itself' };
  };
}

function add(sums, name, value) {
  sums.set(name, (sums.get(name) ?? 0) + value);
}

function mostFirst(sums) {
  return [...sums].sort(([, a], [, b]) => b - a);
}
