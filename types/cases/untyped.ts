// "./light.js" has no types in Bottleneck, and public code says so on that line.
// @ts-expect-error
import Light from 'rebottle/light.js';

export const limiter = new Light();
