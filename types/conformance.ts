/**
 * The declarations are written by hand, so the compiler has to be told to compare them with the class: every member
 * that they promise must exist in lib/, a method as a method. `npm run typecheck` compiles this file; a line that turns
 * red names the missing members.
 */
import type { Batcher } from '../lib/batcher';
import type { Bottleneck } from '../lib/bottleneck';
import type { BottleneckError } from '../lib/errors';
import type { Events } from '../lib/events';
import type { Group } from '../lib/group';
import type * as Resident from '../lib/resident';
import type { ResidentName } from '../lib/resident/names';
import type { StateName } from '../lib/scheduler/job-states';

import Declared = require('./bottleneck');

type Kind<T> = 0 extends 1 & T ? 'any' : T extends (...args: never[]) => unknown ? 'method' : 'value';

/** Members of `Public` that `Actual` lacks, or has as something else. `any` in the class is taken on trust. */
type Missing<Public, Actual> = {
  [K in keyof Public]-?: K extends keyof Actual
    ? Kind<Actual[K]> extends 'any' | Kind<NonNullable<Public[K]>>
      ? never
      : K
    : K;
}[keyof Public];

const nothing = <_T extends never>(): void => {};

nothing<Missing<Declared, Bottleneck>>();
nothing<Missing<Declared.Group, Group>>();
nothing<Missing<Declared.Batcher, Batcher>>();
nothing<Missing<Declared.Events, Events>>();
nothing<Missing<Declared.BottleneckError, BottleneckError>>();
// The declared namespace names itself "default" and so does the class; `prototype` every class has.
nothing<Missing<Omit<typeof Declared, ResidentName>, typeof Bottleneck>>();
// The engine's own classes are put on the class by lib/index.ts.
nothing<Missing<Pick<typeof Declared, ResidentName>, typeof Resident>>();
nothing<Exclude<`${Declared.Status}`, StateName> | Exclude<StateName, `${Declared.Status}`>>();
nothing<Missing<typeof Declared.strategy, typeof Bottleneck.strategy>>();

// The comparison itself: it sees a member that is missing, and one of another kind.
// @ts-expect-error: "queued" is missing
nothing<Missing<Declared, Omit<Bottleneck, 'queued'>>>();
// @ts-expect-error: "queued" is no method
nothing<Missing<Declared, Omit<Bottleneck, 'queued'> & { queued: number }>>();
