// Adding to the namespace from outside, as a plugin does.
import Bottleneck = require('rebottle');

declare module 'rebottle' {
  interface AbortSignalLike {
    readonly addedByThePlugin?: string;
  }
  type AddedByThePlugin = { readonly added: true };
}

const added: Bottleneck.AddedByThePlugin = { added: true };
const text = (signal: Bottleneck.AbortSignalLike): string | undefined => signal.addedByThePlugin;
void [added, text];
