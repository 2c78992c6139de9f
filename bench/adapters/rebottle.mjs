import { createRequire } from 'node:module';
import { bottleneckFamily } from './bottleneck-family.mjs';

const require = createRequire(import.meta.url);

/** The build in dist/, or the file that REBOTTLE_FILE names, to compare two builds. */
const file = process.env.REBOTTLE_FILE ?? new URL('../../dist/index.js', import.meta.url).pathname;

export default bottleneckFamily('rebottle', () => require(file));
