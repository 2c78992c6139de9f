// TypeScript's own form of require: what it gives is the class itself.
import Bottleneck = require('rebottle');
import Light = require('rebottle/light');

export const limiters: Bottleneck[] = [new Bottleneck(), new Bottleneck.default({ minTime: 1 }), new Light()];
export const group: Bottleneck.Group = new Bottleneck.Group();
export const options: Bottleneck.ConstructorOptions = {};
