// Adding to the namespace from outside, as a plugin does.
import Bottleneck = require('rebottle');

declare module 'rebottle' {
  interface AbortSignalLike {
    readonly addedByThePlugin?: string;
  }
  type AddedByThePlugin = { readonly added: true };
}

export const added: Bottleneck.AddedByThePlugin = { added: true };
export const text = (signal: Bottleneck.AbortSignalLike): string | undefined => signal.addedByThePlugin;
