// With the types of Node or of browsers loaded, the real AbortSignal fits.
import Bottleneck from 'rebottle';

const controller = new AbortController();
export const job = new Bottleneck().schedule({ signal: controller.signal }, async () => 1);
