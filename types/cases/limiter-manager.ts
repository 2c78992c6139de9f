// The entry that is one class.
import LimiterManager from 'rebottle/LimiterManager';

export const manager: LimiterManager = new LimiterManager({ maxLimiters: 5 });
export const same: typeof LimiterManager = LimiterManager.LimiterManager;
export const wrapped: (n: number) => Promise<string> = manager.getLimiter('a', 'b').wrap((n: number) => String(n));
