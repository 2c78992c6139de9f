/**
 * One constructor in front of two classes: it decides at each `new` which of them is built.
 *
 * `new Either()` gives a plain instance of the class chosen, with nothing between it and its own prototype. A subclass
 * of Either cannot have two parents, so it inherits from a prototype whose members look up, for each instance, the
 * class that the instance was built with.
 */

// biome-ignore lint/suspicious/noExplicitAny: a class of either package, with any arguments
export type AnyClass = { new (...args: any[]): any; prototype: any };

export interface EitherSpec {
  readonly name: string;
  readonly first: AnyClass;
  readonly second: AnyClass;
  /** Which class to build for these arguments, and with which arguments. */
  choose(args: readonly unknown[]): { readonly target: AnyClass; readonly args: readonly unknown[] };
  /** Called with each instance built. */
  built?(instance: object, target: AnyClass, args: readonly unknown[]): void;
}

export function either(spec: EitherSpec): AnyClass {
  const { first, second, name } = spec;
  const parents = new Parents(first);

  function Either(this: unknown, ...given: unknown[]): unknown {
    if (new.target === undefined) throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
    const { target, args } = spec.choose(given);
    // A class extending Either keeps its own prototype; otherwise nothing of ours stays on the instance.
    const newTarget = new.target === (Either as unknown) ? target : new.target;
    const instance = parents.during(target, () => Reflect.construct(target, args, newTarget));
    spec.built?.(instance, target, given);
    return instance;
  }

  Object.defineProperty(Either, 'name', { value: name });
  Object.defineProperty(Either, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== Either) return Function.prototype[Symbol.hasInstance].call(this, value);
      return value instanceof first || value instanceof second || inherits(value, Either.prototype);
    },
  });
  inheritFromBoth(Either.prototype, first.prototype, second.prototype, parents);
  return Either as unknown as AnyClass;
}

/** Remembers which class each instance of a subclass was built with. */
class Parents {
  private readonly byInstance = new WeakMap<object, AnyClass>();
  /** The class whose constructor is running: it uses its own methods before the instance can be recorded. */
  private constructing: AnyClass | undefined;

  constructor(private readonly fallback: AnyClass) {}

  during<T extends object>(target: AnyClass, construct: () => T): T {
    const outer = this.constructing;
    this.constructing = target;
    try {
      const instance = construct();
      this.byInstance.set(instance, target);
      return instance;
    } finally {
      this.constructing = outer;
    }
  }

  of(instance: object): AnyClass {
    const known = this.byInstance.get(instance);
    if (known !== undefined) return known;
    if (this.constructing === undefined) return this.fallback;
    this.byInstance.set(instance, this.constructing);
    return this.constructing;
  }
}

function inheritFromBoth(prototype: object, first: object, second: object, parents: Parents): void {
  const shared = chainOf(first).find((ancestor) => chainOf(second).includes(ancestor)) ?? Object.prototype;
  Object.setPrototypeOf(prototype, shared);
  for (const key of new Set([...memberNames(first, shared), ...memberNames(second, shared)])) {
    if (key === 'constructor') continue;
    Object.defineProperty(prototype, key, {
      configurable: true,
      enumerable: false,
      get(this: object) {
        return Reflect.get(parents.of(this).prototype, key, this);
      },
      // As an assignment to an inherited method does: the instance gets a property of its own, unless the class has a setter.
      set(this: object, value: unknown) {
        const inherited = findDescriptor(parents.of(this).prototype, key);
        if (inherited?.set !== undefined) inherited.set.call(this, value);
        else Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

function memberNames(prototype: object, end: object): PropertyKey[] {
  const chain = chainOf(prototype);
  return chain.slice(0, chain.indexOf(end)).flatMap((ancestor) => Reflect.ownKeys(ancestor));
}

function findDescriptor(prototype: object, key: PropertyKey): PropertyDescriptor | undefined {
  const owner = chainOf(prototype).find((ancestor) => Object.hasOwn(ancestor, key));
  return owner && Object.getOwnPropertyDescriptor(owner, key);
}

/** The prototype and all it inherits from, nearest first. */
function chainOf(prototype: object): object[] {
  const chain: object[] = [];
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at)) chain.push(at);
  return chain;
}

function inherits(value: unknown, prototype: object): boolean {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(prototype, value);
}
