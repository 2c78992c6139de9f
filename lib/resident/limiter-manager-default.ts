/** The entry `rebottle/LimiterManager`: the class itself, by default. */
import { LimiterManager } from './limiter-manager';

export default LimiterManager;
