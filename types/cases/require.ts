// TypeScript's own form of require: what it gives is the class itself.
import Bottleneck = require('rebottle');
import Light = require('rebottle/light');

const limiters: Bottleneck[] = [new Bottleneck(), new Bottleneck.default({ minTime: 1 }), new Light()];
const group: Bottleneck.Group = new Bottleneck.Group();
const options: Bottleneck.ConstructorOptions = {};
void [limiters, group, options];
