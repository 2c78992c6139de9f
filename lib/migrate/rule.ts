/** What `migrate` is about to build. */
export type Kind = 'limiter' | 'group' | 'batcher' | 'connection';

/** What a rule may look at besides the options. */
export interface Subject {
  readonly kind: Kind;
  /**
   * The id it will have: the one in its options, else the package's default (`<no-id>`, and `group-key` for a Group).
   * Batchers and connections have none and go by `<no-id>`.
   */
  readonly id: string;
}

/**
 * Says which limiters are built on rebottle; the others stay on Bottleneck.
 *
 * - A function of the options: rebottle where it returns true.
 * - A list of ids or globs. `*` stands for any characters, also none. A leading `!` takes ids out again:
 *   `['*', '!payments']`. A Group goes by its own id and is built whole on one side with all its limiters.
 * - The name of an environment variable that holds such a list, separated by commas. Absent or empty: nothing on
 *   rebottle. It is read at each construction, so a `.env` file may be loaded after the import.
 */
export type Rule = RuleFunction | readonly string[] | { readonly env: string };

// biome-ignore lint/suspicious/noExplicitAny: the options of two packages, which their own types describe
export type RuleFunction = (options: any, subject: Subject) => boolean;

/** The rule as one function. @throws {TypeError} when it is none of the three kinds. */
export function compileRule(rule: Rule): RuleFunction {
  if (typeof rule === 'function') return rule;
  if (Array.isArray(rule) && rule.every((pattern) => typeof pattern === 'string')) {
    const matches = compileList(rule);
    return (_options, { id }) => matches(id);
  }
  if (rule !== null && typeof rule === 'object' && 'env' in rule && typeof rule.env === 'string') {
    return environmentRule(rule.env);
  }
  throw new TypeError('The rule of migrate() must be a function, a list of ids or globs, or { env: "NAME" }');
}

function environmentRule(name: string): RuleFunction {
  let compiledFrom = '';
  let matches = compileList([]);
  return (_options, { id }) => {
    const value = readEnvironment(name);
    if (value !== compiledFrom) {
      matches = compileList(value.split(','));
      compiledFrom = value;
    }
    return matches(id);
  };
}

function readEnvironment(name: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] ?? '';
}

function compileList(patterns: readonly string[]): (id: string) => boolean {
  const wanted: RegExp[] = [];
  const excepted: RegExp[] = [];
  for (const pattern of patterns.map((text) => text.trim())) {
    if (pattern === '') continue;
    if (pattern.startsWith('!')) excepted.push(compileGlob(pattern.slice(1)));
    else wanted.push(compileGlob(pattern));
  }
  return (id) => wanted.some((glob) => glob.test(id)) && !excepted.some((glob) => glob.test(id));
}

/** Ids are any text, `/` and `.` included, so a path matcher would be wrong here. */
function compileGlob(glob: string): RegExp {
  const literal = glob.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}
