/** The two packages under comparison, behind one type. */
import type Bottleneck from 'bottleneck';

export type Constructor = typeof Bottleneck;

export interface Subject {
  name: 'bottleneck' | 'rebottle';
  Bottleneck: Constructor;
}

/** The published Bottleneck 2.19.5. */
export function upstream(): Subject {
  return { name: 'bottleneck', Bottleneck: require('bottleneck') as Constructor };
}

/** This package, from its sources. */
export function ours(): Subject {
  return { name: 'rebottle', Bottleneck: (require('../../lib/index') as { default: Constructor }).default };
}
