import { type AnyClass, either } from './migrate/either.js';
import { compileRule, type Kind, type Rule, type RuleFunction, type Subject } from './migrate/rule.js';
import { type ConnectionClasses, ConnectionSharing } from './migrate/share-connection.js';

export type { Kind, Rule, RuleFunction, Subject } from './migrate/rule.js';

/** What `migrate` decided for one limiter, Group, Batcher or connection. */
export interface Choice extends Subject {
  /** The package that it was built with. */
  readonly chosen: 'bottleneck' | 'rebottle';
  /** The options as they were given. */
  readonly options: unknown;
}

export interface MigrateOptions {
  /** Called after each construction, with what was built. What it throws reaches the caller of `new`. */
  readonly onChoice?: (choice: Choice, instance: object) => void;
}

/** The class of either package, as its own types describe it. */
export interface BottleneckClass extends ConnectionClasses {
  // biome-ignore lint/suspicious/noExplicitAny: each package has types of its own for its instances
  new (...args: any[]): any;
  readonly Group: AnyClass;
  readonly Batcher: AnyClass;
  readonly BottleneckError: AnyClass;
}

const DEFAULT_IDS: Record<Kind, string> = {
  limiter: '<no-id>',
  group: 'group-key',
  batcher: '<no-id>',
  connection: '<no-id>',
};

/**
 * Gives a constructor with Bottleneck's statics that builds each limiter, Group, Batcher and connection on `Bottleneck`
 * or on `Rebottle`, as `rule` says. Use it in the place of the class that was imported before.
 *
 * Limiters of the two chain to each other and take each other's `connection`. `instanceof` against the constructor and
 * its `Group`, `Batcher`, `BottleneckError` and connection classes holds for both packages. Each limiter and Group
 * tells which package it was built with in a `debug` event, sent in a microtask so that listeners added right after
 * `new` hear it.
 *
 * @param rule which to build on rebottle: a function of the options, a list of ids or globs, or `{ env: 'NAME' }`.
 * @throws {TypeError} when `rule` is none of these.
 */
export function migrate<B extends BottleneckClass>(
  Bottleneck: B,
  Rebottle: BottleneckClass,
  rule: Rule,
  options: MigrateOptions = {},
): B {
  const migration = new Migration(Bottleneck, Rebottle, compileRule(rule), options);
  return migration.limiterClass() as unknown as B;
}

class Migration {
  private readonly sharing: ConnectionSharing;

  constructor(
    private readonly Bottleneck: BottleneckClass,
    private readonly Rebottle: BottleneckClass,
    private readonly wantsRebottle: RuleFunction,
    private readonly options: MigrateOptions,
  ) {
    this.sharing = new ConnectionSharing(Bottleneck, Rebottle);
  }

  limiterClass(): AnyClass {
    const { Bottleneck, Rebottle } = this;
    const Limiter = this.eitherOf('Bottleneck', 'limiter', Bottleneck, Rebottle);
    const replaced = {
      default: Limiter,
      Group: this.eitherOf('Group', 'group', Bottleneck.Group, Rebottle.Group),
      Batcher: this.eitherOf('Batcher', 'batcher', Bottleneck.Batcher, Rebottle.Batcher),
      BottleneckError: eitherError(Bottleneck.BottleneckError, Rebottle.BottleneckError),
      ...this.connectionClasses(),
    };
    for (const [name, value] of Object.entries({ ...statics(Rebottle), ...statics(Bottleneck), ...replaced })) {
      Object.defineProperty(Limiter, name, { value, writable: true, enumerable: true, configurable: true });
    }
    return Limiter;
  }

  /** The light builds have no connection classes to choose between. */
  private connectionClasses(): Record<string, AnyClass> {
    const classes: Record<string, AnyClass> = {};
    for (const name of ['RedisConnection', 'IORedisConnection'] as const) {
      const [first, second] = [this.Bottleneck[name], this.Rebottle[name]];
      if (typeof first !== 'function' || typeof second !== 'function') continue;
      classes[name] = this.eitherOf(name, 'connection', first as AnyClass, second as AnyClass);
    }
    return classes;
  }

  private eitherOf(name: string, kind: Kind, first: AnyClass, second: AnyClass): AnyClass {
    return either({
      name,
      first,
      second,
      choose: (args) => {
        const rebottle = this.wantsRebottle(optionsOf(args), subjectOf(kind, args));
        return { target: rebottle ? second : first, args: this.withOwnConnection(args, rebottle) };
      },
      built: (instance, target, args) => {
        const chosen = target === second ? 'rebottle' : 'bottleneck';
        this.tell(instance, { ...subjectOf(kind, args), chosen, options: args[0] });
      },
    });
  }

  /** The caller's options object itself is passed on wherever it can be: Bottleneck's Group writes into it. */
  private withOwnConnection(args: readonly unknown[], rebottle: boolean): readonly unknown[] {
    const options = optionsOf(args);
    const given = options.connection;
    const own = rebottle ? this.sharing.forRebottle(given) : this.sharing.forBottleneck(given);
    return own === given ? args : [{ ...options, connection: own }, ...args.slice(1)];
  }

  private tell(instance: object, choice: Choice): void {
    if (choice.kind === 'limiter' || choice.kind === 'group') {
      const { Events } = instance as { Events?: { trigger(name: string, ...args: unknown[]): unknown } };
      queueMicrotask(() => void Events?.trigger('debug', `Built on ${choice.chosen}: ${choice.id}`, choice));
    }
    this.options.onChoice?.(choice, instance);
  }
}

/** New errors are Bottleneck's; those that either package throws are instances. */
function eitherError(first: AnyClass, second: AnyClass): AnyClass {
  return either({ name: 'BottleneckError', first, second, choose: (args) => ({ target: first, args }) });
}

const FUNCTION_PROPERTIES = new Set<string | symbol>(['length', 'name', 'prototype', 'arguments', 'caller']);

function statics(type: object): Record<string, unknown> {
  const names = Object.getOwnPropertyNames(type).filter((name) => !FUNCTION_PROPERTIES.has(name));
  return Object.fromEntries(names.map((name) => [name, Reflect.get(type, name)]));
}

function subjectOf(kind: Kind, args: readonly unknown[]): Subject {
  const { id } = optionsOf(args);
  return { kind, id: id == null || kind === 'batcher' || kind === 'connection' ? DEFAULT_IDS[kind] : String(id) };
}

/** Options that are no object are left to the package to refuse. */
function optionsOf(args: readonly unknown[]): Record<string, unknown> {
  const [options] = args;
  return typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : {};
}
