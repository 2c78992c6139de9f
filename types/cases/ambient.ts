import Light from 'rebottle/light';
import LightFile from 'rebottle/light.js';

export const ambient: true[] = [new LightFile().declaredByTheUser, new Light().declaredByTheUser];
export const stop: Promise<void> = new LightFile().stop();
