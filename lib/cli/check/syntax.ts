import { extname } from 'node:path';
import { type ParserOptions, type ParserPlugin, parse } from '@babel/parser';
import { analyze, type Reference, type Scope, type ScopeManager, type Variable } from 'eslint-scope';

/** A node of the syntax tree: ESTree, with Babel's nodes for types and JSX. */
export interface Node {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the type, which the reader has asked for
  readonly [field: string]: any;
}

/** A file's syntax tree and what its names refer to. */
export interface SyntaxTree {
  readonly program: Node;
  /** The variable that an identifier refers to, if it is declared in this file. */
  variableOf(identifier: Node): Variable | undefined;
  /** Calls `visit` for each node, parents first, with the scope that the node stands in. */
  walk(visit: (node: Node, scope: Scope) => void): void;
}

/** Every syntax that a file may hold is tried in turn. @throws the first parser's error when none can read it. */
export function parseSource(code: string, file: string): SyntaxTree {
  let firstError: unknown;
  for (const dialect of dialectsOf(file)) {
    try {
      return new Tree(parse(code, { ...PARSER_OPTIONS, plugins: [...COMMON_PLUGINS, ...dialect] }) as unknown as Node);
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

const PARSER_OPTIONS: ParserOptions = {
  sourceType: 'unambiguous',
  // Only what makes a file unreadable matters here, not what is wrong in it.
  errorRecovery: true,
  attachComment: false,
  ranges: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowNewTargetOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
};

// The older decorators are those of TypeScript, parameters included; they also read most of the newer ones.
const COMMON_PLUGINS: ParserPlugin[] = [
  ['estree', { classFeatures: true }],
  'decorators-legacy',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
];

function dialectsOf(file: string): ParserPlugin[][] {
  const extension = extname(file);
  if (/^\.[mc]?ts$/.test(extension)) return [['typescript'], ['typescript', 'jsx']];
  if (extension === '.tsx') return [['typescript', 'jsx']];
  return [
    ['jsx', 'flow'],
    ['typescript', 'jsx'],
  ];
}

class Tree implements SyntaxTree {
  readonly program: Node;
  private readonly scopes: ScopeManager;
  private readonly references = new Map<unknown, Reference>();

  constructor(file: Node) {
    this.program = file.program;
    this.scopes = analyze(file as never, {
      ecmaVersion: 2022,
      sourceType: this.program.sourceType,
      // Types, JSX and decorators are not ESTree: whatever they contain is visited.
      fallback: 'iteration',
      childVisitorKeys: {},
    });
    for (const scope of this.scopes.scopes) {
      for (const reference of scope.references) this.references.set(reference.identifier, reference);
    }
  }

  variableOf(identifier: Node): Variable | undefined {
    return this.references.get(identifier)?.resolved ?? undefined;
  }

  walk(visit: (node: Node, scope: Scope) => void): void {
    const descend = (node: Node, outer: Scope) => {
      // The innermost: a module's scope lies within the global one, and both belong to the same node.
      const scope = this.scopes.acquire(node as never, true) ?? outer;
      visit(node, scope);
      for (const child of childrenOf(node)) descend(child, scope);
    };
    const [outermost] = this.scopes.scopes;
    if (outermost !== undefined) descend(this.program, outermost);
  }
}

const NO_CHILDREN = new Set(['loc', 'range', 'tokens', 'comments', 'errors', 'extra', 'parent']);

export function* childrenOf(node: Node): Generator<Node> {
  for (const [field, value] of Object.entries(node)) {
    if (NO_CHILDREN.has(field)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The variable of this name that is visible in `scope`. */
export function lookUp(name: string, scope: Scope): Variable | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.upper) {
    const variable = at.set.get(name);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** The text of a string literal or of a template without expressions. */
export function stringOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/** The name of a property, where it is known: `x` in `{ x: 1 }`, `{ 'x': 1 }`, `a.x`, `a['x']`. */
export function propertyName(key: Node, computed: boolean): string | undefined {
  if (!computed && (key.type === 'Identifier' || key.type === 'PrivateName' || key.type === 'PrivateIdentifier')) {
    return key.type === 'PrivateName'
      ? `#${key.id.name}`
      : key.type === 'PrivateIdentifier'
        ? `#${key.name}`
        : key.name;
  }
  return stringOf(key);
}
