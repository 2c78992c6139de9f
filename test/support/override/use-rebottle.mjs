/**
 * For `node --import`: whoever imports `bottleneck`, any path of it, gets this package, as an override in package.json
 * would give it. The build has to be there.
 */
import { register } from 'node:module';

register('./resolve.mjs', import.meta.url);
