import type { Scope } from 'eslint-scope';
import { type InstanceKind, isClass, type ValueKind } from './kinds.js';
import { isMember, requireSpecifier } from './nodes.js';
import { packageImport } from './packages.js';
import { childrenOf, type Node, propertyName, type SyntaxTree, stringOf } from './syntax.js';
import type { Values } from './values.js';

/** One place in a file that uses Bottleneck. */
export interface Use {
  readonly what: 'import' | 'internal import' | 'construction' | 'option' | 'method' | 'private member';
  /** The specifier, class, option, method or member; of an event listener `on:error`. */
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Where a method takes an options object. */
const OPTIONS_ARGUMENT: Record<string, number> = { updateSettings: 0, stop: 0, schedule: 0, submit: 0, withOptions: 0 };
const LISTENER_METHODS = new Set(['on', 'once']);

/** Every use of Bottleneck in one file, in the order of the file. */
export function findUses(tree: SyntaxTree, values: Values, names: ReadonlySet<string>): Use[] {
  const finder = new UseFinder(values, names);
  tree.walk((node, scope) => finder.visit(node, scope));
  return finder.uses.sort((a, b) => a.line - b.line || a.column - b.column);
}

class UseFinder {
  readonly uses: Use[] = [];
  /** An options object may serve several limiters; its options are reported once. */
  private readonly reported = new Set<Node>();

  constructor(
    private readonly values: Values,
    private readonly names: ReadonlySet<string>,
  ) {}

  visit(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        this.addImport(node.source);
        break;
      case 'TSImportType':
        this.addImport(node.argument?.literal ?? node.argument);
        break;
      case 'TSExternalModuleReference':
        this.addImport(node.expression);
        break;
      case 'NewExpression':
        this.visitConstruction(node, this.values.kindOf(node.callee, scope), scope);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.visitClass(node, scope);
        break;
      case 'CallExpression':
      case 'OptionalCallExpression':
        this.visitCall(node, scope);
        break;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        this.visitMember(node, scope);
        break;
    }
  }

  private visitConstruction(node: Node, kind: ValueKind | undefined, scope: Scope): void {
    if (kind === undefined || !isClass(kind)) return;
    this.add('construction', kind, node);
    this.addOptions(node.arguments[0], scope);
  }

  /** `super(options)` in a class that extends one of Bottleneck's. */
  private visitClass(node: Node, scope: Scope): void {
    const kind = this.values.kindOf(node.superClass, scope);
    if (kind === undefined || !isClass(kind)) return;
    this.add('construction', kind, node.superClass);
    for (const call of superCalls(node.body)) this.addOptions(call.arguments[0], scope);
  }

  private visitCall(node: Node, scope: Scope): void {
    // Not only require(): also require.resolve(), jest.mock() and their like.
    if (requireSpecifier(node) !== undefined || stringOf(node.arguments[0]) !== undefined)
      this.addImport(node.arguments[0]);
    const { callee } = node;
    if (!isMember(callee)) return;
    const method = propertyName(callee.property, callee.computed);
    if (method === undefined || this.instanceKind(callee.object, scope) === undefined) return;
    const argument = OPTIONS_ARGUMENT[method];
    if (argument !== undefined) this.addOptions(node.arguments[argument], scope);
    const event = LISTENER_METHODS.has(method) ? stringOf(node.arguments[0]) : undefined;
    if (event !== undefined) this.add('method', `on:${event}`, callee.property);
  }

  private visitMember(node: Node, scope: Scope): void {
    const name = propertyName(node.property, node.computed);
    if (name === undefined || this.instanceKind(node.object, scope) === undefined) return;
    if (name.startsWith('_')) this.add('private member', name, node.property);
    else if (!LISTENER_METHODS.has(name)) this.add('method', name, node.property);
  }

  private instanceKind(node: Node, scope: Scope): InstanceKind | undefined {
    const kind = this.values.kindOf(node, scope);
    return kind === undefined || isClass(kind) ? undefined : kind;
  }

  private addOptions(argument: Node | undefined, scope: Scope): void {
    for (const { node, scope: inner } of this.values.objectLiterals(argument, scope)) {
      if (this.reported.has(node)) continue;
      this.reported.add(node);
      for (const property of node.properties) {
        if (property.type === 'Property') {
          const name = propertyName(property.key, property.computed);
          if (name !== undefined) this.add('option', name, property);
        } else this.addOptions(property.argument, inner);
      }
    }
  }

  private addImport(source: Node | null | undefined): void {
    const specifier = stringOf(source);
    const found = specifier === undefined ? undefined : packageImport(specifier, this.names);
    if (found !== undefined) this.add(found.internal ? 'internal import' : 'import', found.specifier, source as Node);
  }

  private add(what: Use['what'], name: string, { loc: { start } }: Node): void {
    this.uses.push({ what, name, line: start.line, column: start.column + 1 });
  }
}

function* superCalls(node: Node): Generator<Node> {
  for (const child of childrenOf(node)) {
    if (child.type === 'CallExpression' && child.callee.type === 'Super') yield child;
    if (child.type !== 'ClassDeclaration' && child.type !== 'ClassExpression') yield* superCalls(child);
  }
}
