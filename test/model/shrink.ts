/** Makes a scenario smaller while Redis and memory still differ on it: whoever looks at it should see the cause. */
import { type Operation, type Scenario, type StepOperation, UNLIMITED } from './scenario';

/** @param stillFails whether the two sides differ on a scenario */
export async function shrink(
  scenario: Scenario,
  stillFails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let smallest = scenario;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of smaller(smallest)) {
      if (!(await stillFails(candidate))) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

/** Every scenario that is one step simpler, the largest steps first. */
function* smaller(scenario: Scenario): Generator<Scenario> {
  const { operations, settings, clients } = scenario;
  for (let size = operations.length >> 1; size >= 1; size >>= 1) {
    for (let from = 0; from < operations.length; from += size) {
      yield { ...scenario, operations: [...operations.slice(0, from), ...operations.slice(from + size)] };
    }
  }
  if (clients > 1) yield { ...scenario, clients: clients - 1 };
  for (const name of Object.keys(UNLIMITED) as Array<keyof typeof UNLIMITED>) {
    if (settings[name] !== UNLIMITED[name]) yield { ...scenario, settings: { ...settings, [name]: UNLIMITED[name] } };
  }
  for (const [i, operation] of operations.entries()) {
    for (const simpler of smallerOperations(operation))
      yield { ...scenario, operations: replaced(operations, i, simpler) };
  }
}

function* smallerOperations(operation: Operation): Generator<Operation> {
  if (operation.after !== 0) yield { ...operation, after: 0 };
  if (operation.client !== 0) yield { ...operation, client: 0 };
  if (operation.kind === 'update') {
    for (const name of Object.keys(operation.patch)) {
      const { [name as keyof typeof operation.patch]: _, ...rest } = operation.patch;
      yield { ...operation, patch: rest };
    }
  }
  if (operation.kind === 'step') yield* smallerSteps(operation);
}

function* smallerSteps(step: StepOperation): Generator<StepOperation> {
  if (step.resent) yield { ...step, resent: false };
  for (const list of ['submitted', 'completed', 'withdrawn', 'renewed'] as const) {
    for (let i = 0; i < step[list].length; i++) yield { ...step, [list]: without<unknown>(step[list], i) };
  }
  for (const [i, given] of step.submitted.entries()) {
    for (const [name, plain] of [
      ['delay', 0],
      ['expiration', null],
      ['weight', 1],
      ['priority', 5],
    ] as const) {
      if (given[name] !== plain) yield { ...step, submitted: replaced(step.submitted, i, { ...given, [name]: plain }) };
    }
  }
}

function replaced<T>(list: readonly T[], at: number, item: T): T[] {
  return list.map((old, i) => (i === at ? item : old));
}

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, i) => i !== at);
}
