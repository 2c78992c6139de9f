import type { Definition, Scope, Variable } from 'eslint-scope';
import { FileIndex, type Source } from './file-index.js';
import { instanceKind, memberKind, resultKind, type ValueKind } from './kinds.js';
import {
  alternatives,
  calleeName,
  FUNCTIONS,
  importedName,
  isMember,
  propertyHolding,
  requireSpecifier,
  returnedBy,
  WRAPPERS,
  withoutDefault,
} from './nodes.js';
import { packageImport } from './packages.js';
import { lookUp, type Node, propertyName, type SyntaxTree, stringOf } from './syntax.js';

/** What another file exports under a name, or what a call of that export returns. */
export type ExportLookup = (specifier: string, name: string, called: boolean) => ValueKind | undefined;

/** By what was asked of it: what an expression is, what a function returns, which object literals are meant. */
interface Asked {
  readonly value: Set<Node>;
  readonly result: Set<Node>;
  readonly objects: Set<Node>;
}

/**
 * Says of the expressions of one file which are Bottleneck's class, a limiter, a Group and so on, by following
 * variables, properties, type annotations, return values and imports. Properties are known by their name alone, wherever
 * in the file they are set.
 */
export class Values {
  private readonly index: FileIndex;
  private readonly known: Record<keyof Asked, Map<Node, unknown>> = {
    value: new Map(),
    result: new Map(),
    objects: new Map(),
  };
  /** What the present question has looked at. */
  private asked: Asked | undefined;

  constructor(
    private readonly tree: SyntaxTree,
    private readonly names: ReadonlySet<string>,
    private readonly otherFile: ExportLookup,
  ) {
    this.index = new FileIndex(tree);
  }

  /** What an importer of this file gets under `name`, or by calling it. `default` and `module.exports` are the same. */
  exported(name: string, called: boolean): ValueKind | undefined {
    const source = this.index.exports.get(name);
    if (source !== undefined) {
      return called ? this.kindOfResult(source.node, source.scope) : this.kindOf(source.node, source.scope);
    }
    const reexport = this.index.reexports.get(name);
    if (reexport !== undefined) return this.imported(reexport.specifier, reexport.name, called);
    for (const specifier of this.index.starExports) {
      const kind = this.imported(specifier, name, called);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  /** Whether importers of this file may get something of Bottleneck from it. */
  get hasExports(): boolean {
    return (
      this.index.starExports.length > 0 ||
      [...this.index.exports.keys(), ...this.index.reexports.keys()].some(
        (name) => this.exported(name, false) ?? this.exported(name, true),
      )
    );
  }

  kindOf(node: Node | null | undefined, scope: Scope): ValueKind | undefined {
    return node == null ? undefined : this.ask('value', node, () => this.evaluate(node, scope));
  }

  /** The object literals that an expression is made of, through variables, casts and `Object.assign`. */
  objectLiterals(node: Node | null | undefined, scope: Scope): Source[] {
    return (node == null ? undefined : this.ask('objects', node, () => this.findObjects(node, scope))) ?? [];
  }

  /**
   * Definitions go in circles, and meet again on many ways: within one question from outside each node is looked at
   * once, and a kind that was found is kept.
   */
  private ask<T>(what: keyof Asked, node: Node, answer: () => T | undefined): T | undefined {
    const known = this.known[what].get(node);
    if (known !== undefined) return known as T;
    const outermost = this.asked === undefined;
    this.asked ??= { value: new Set(), result: new Set(), objects: new Set() };
    try {
      if (this.asked[what].has(node)) return undefined;
      this.asked[what].add(node);
      const found = answer();
      // Half of the objects may have been found by an outer question already.
      if (found !== undefined && what !== 'objects') this.known[what].set(node, found);
      return found;
    } finally {
      if (outermost) this.asked = undefined;
    }
  }

  private evaluate(node: Node, scope: Scope): ValueKind | undefined {
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        return this.kindOfVariable(this.tree.variableOf(node) ?? lookUp(node.name, scope), node.name);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.kindOfMember(node, scope);
      case 'NewExpression': {
        const kind = this.kindOf(node.callee, scope);
        return kind && instanceKind(kind);
      }
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.kindOfCall(node, scope);
      case 'ImportExpression':
        return this.imported(stringOf(node.source), 'default');
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.kindOf(node.superClass, scope);
      case 'TSTypeReference':
      case 'GenericTypeAnnotation':
        return this.kindOfType(node, scope);
      case 'TSTypeAnnotation':
      case 'TypeAnnotation':
        return this.kindOf(node.typeAnnotation, scope);
      case 'TSUnionType':
      case 'UnionTypeAnnotation':
      case 'TSIntersectionType':
        return this.firstKind(node.types, scope);
      case 'ConditionalExpression':
        return this.firstKind([node.consequent, node.alternate], scope);
      case 'LogicalExpression':
        return this.firstKind([node.left, node.right], scope);
      case 'SequenceExpression':
        return this.kindOf(node.expressions.at(-1), scope);
      case 'AssignmentExpression':
        return this.kindOf(node.right, scope);
      case 'AwaitExpression':
        return this.kindOf(node.argument, scope);
      default:
        return WRAPPERS.has(node.type) ? this.kindOf(node.expression, scope) : undefined;
    }
  }

  private firstKind(nodes: Iterable<Node>, scope: Scope): ValueKind | undefined {
    for (const node of nodes) {
      const kind = this.kindOf(node, scope);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  private kindOfMember(node: Node, scope: Scope): ValueKind | undefined {
    const name = propertyName(node.property, node.computed);
    if (name === undefined) return undefined;
    const object = this.kindOf(node.object, scope);
    if (object !== undefined) return memberKind(object, name);
    const module = this.requiredModule(node.object, scope);
    if (module !== undefined) return this.otherFile(module, name, false);
    return this.kindOfProperty(name);
  }

  private kindOfProperty(name: string): ValueKind | undefined {
    for (const { node, scope } of this.index.properties.get(name) ?? []) {
      const kind = this.kindOf(node, scope);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  private kindOfCall(node: Node, scope: Scope): ValueKind | undefined {
    const { callee } = node;
    const required = requireSpecifier(node);
    if (required !== undefined) return this.imported(required, 'default');
    if (isMember(callee)) {
      const name = propertyName(callee.property, callee.computed);
      const object = this.kindOf(callee.object, scope);
      if (object !== undefined) return name === undefined ? undefined : resultKind(object, name);
    }
    const [first] = node.arguments;
    if (/interop|import(Default|Star)|^migrate$/i.test(calleeName(callee) ?? '')) return this.kindOf(first, scope);
    return this.kindOfResult(callee, scope);
  }

  /** What a function returns. */
  private kindOfResult(callee: Node, scope: Scope): ValueKind | undefined {
    const found = this.functionBehind(callee, scope);
    if (found === undefined) return this.kindOfImportedResult(callee, scope);
    return this.ask('result', found.node, () => this.kindReturnedBy(found));
  }

  private kindReturnedBy({ node, scope }: Source): ValueKind | undefined {
    const annotated = this.kindOf(node.returnType, scope);
    if (annotated !== undefined) return annotated;
    return node.body?.type === 'BlockStatement'
      ? this.firstKind(returnedBy(node.body), scope)
      : this.kindOf(node.body, scope);
  }

  private kindOfImportedResult(callee: Node, scope: Scope): ValueKind | undefined {
    if (isMember(callee)) {
      const name = propertyName(callee.property, callee.computed);
      const module = this.requiredModule(callee.object, scope);
      return name === undefined || module === undefined ? undefined : this.otherFile(module, name, true);
    }
    if (callee.type !== 'Identifier') return undefined;
    const definition = this.definitionOf(callee, scope);
    if (definition?.type !== 'ImportBinding') return undefined;
    return this.imported(sourceOf(definition), importedName(definition.node as unknown as Node), true);
  }

  private functionBehind(callee: Node, scope: Scope): Source | undefined {
    if (FUNCTIONS.has(callee.type)) return { node: callee, scope };
    if (isMember(callee)) {
      const name = propertyName(callee.property, callee.computed);
      const candidates = name === undefined ? [] : (this.index.properties.get(name) ?? []);
      return candidates.find(({ node }) => FUNCTIONS.has(node.type));
    }
    if (callee.type !== 'Identifier') return undefined;
    const definition = this.definitionOf(callee, scope);
    const defining = definition?.node as unknown as Node | undefined;
    const node: Node | undefined = definition?.type === 'Variable' ? defining?.init : defining;
    return node && FUNCTIONS.has(node.type) && definition?.type !== 'Parameter' ? { node, scope } : undefined;
  }

  private definitionOf(identifier: Node, scope: Scope): Definition | undefined {
    return (this.tree.variableOf(identifier) ?? lookUp(identifier.name, scope))?.defs[0];
  }

  private kindOfVariable(variable: Variable | undefined, name: string): ValueKind | undefined {
    if (variable === undefined || variable.defs.length === 0)
      return this.imported(this.index.importEquals.get(name), 'default');
    for (const definition of variable.defs) {
      const kind = this.kindOfDefinition(definition, variable.scope);
      if (kind !== undefined) return kind;
    }
    // `let limiter; limiter = new Bottleneck()`
    for (const { writeExpr, from } of variable.references) {
      const kind = this.kindOf(writeExpr as Node | null | undefined, from);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  private kindOfDefinition(definition: Definition, scope: Scope): ValueKind | undefined {
    const [name, node] = [definition.name as unknown as Node, definition.node as unknown as Node];
    const annotated = this.kindOf(name.typeAnnotation, scope);
    if (annotated !== undefined) return annotated;
    switch (definition.type) {
      case 'ImportBinding':
        return this.imported(sourceOf(definition), importedName(node));
      case 'Variable':
        return node.id === name ? this.kindOf(node.init, scope) : this.kindOfPattern(node.id, name, node.init, scope);
      case 'Parameter':
        return this.kindOfParameter(node, name, scope);
      case 'ClassName':
        return this.kindOf(node, scope);
      default:
        return undefined;
    }
  }

  /** By its default value, or by what the function is called with. */
  private kindOfParameter(definedIn: Node, name: Node, scope: Scope): ValueKind | undefined {
    for (const [position, param] of (definedIn.params as Node[]).entries()) {
      const { pattern, value } = withoutDefault(param);
      if (pattern !== name) {
        const kind = this.kindOfPattern(pattern, name, value, scope);
        if (kind !== undefined) return kind;
        continue;
      }
      const calls = this.index.calls.get(this.index.functionNames.get(definedIn) ?? '') ?? [];
      const given = calls.map((call) => this.kindOf(call.node.arguments[position], call.scope));
      return this.kindOf(value, scope) ?? given.find((kind) => kind !== undefined);
    }
    return undefined;
  }

  /** `const { Group: name } = init`; a pattern within a pattern is taken for a property of any object. */
  private kindOfPattern(pattern: Node, name: Node, init: Node | null, scope: Scope): ValueKind | undefined {
    const property = propertyHolding(pattern, name);
    if (property === undefined) return undefined;
    const key = propertyName(property.key, property.computed);
    if (key === undefined) return undefined;
    const byDefault = this.kindOf(withoutDefault(property.value).value, scope);
    if (byDefault !== undefined) return byDefault;
    const object = pattern.properties?.includes(property) ? this.kindOf(init, scope) : undefined;
    if (object !== undefined) return memberKind(object, key);
    const module = init === null ? undefined : this.requiredModule(init, scope);
    return module === undefined ? this.kindOfProperty(key) : this.otherFile(module, key, false);
  }

  /** The relative module that `require('./x')`, `await import('./x')`, or a namespace import of it stands for. */
  private requiredModule(node: Node, scope: Scope): string | undefined {
    if (node.type === 'AwaitExpression') return this.requiredModule(node.argument, scope);
    const direct = requireSpecifier(node) ?? (node.type === 'ImportExpression' ? stringOf(node.source) : undefined);
    if (direct !== undefined) return direct;
    if (node.type !== 'Identifier') return undefined;
    const definition = this.definitionOf(node, scope);
    const defining = definition?.node as unknown as Node | undefined;
    if (definition?.type === 'ImportBinding') {
      return defining?.type === 'ImportNamespaceSpecifier' ? sourceOf(definition) : undefined;
    }
    const init: Node | undefined =
      definition?.type === 'Variable' && defining?.id === definition.name ? defining?.init : undefined;
    return init && (init.type === 'AwaitExpression' || requireSpecifier(init))
      ? this.requiredModule(init, scope)
      : undefined;
  }

  private imported(specifier: string | undefined, name: string, called = false): ValueKind | undefined {
    if (specifier === undefined) return undefined;
    const found = packageImport(specifier, this.names);
    if (found === undefined) return this.otherFile(specifier, name, called);
    if (called || found.internal || specifier.endsWith('package.json')) return undefined;
    return name === '*' ? 'Bottleneck' : memberKind('Bottleneck', name);
  }

  private kindOfType(node: Node, scope: Scope): ValueKind | undefined {
    const name: Node = node.typeName ?? node.id;
    const type = this.kindOfTypeName(name, scope);
    if (type !== undefined) return instanceKind(type);
    const args: Node[] = (node.typeArguments ?? node.typeParameters)?.params ?? [];
    const isPromise = name.type === 'Identifier' && /^Promise(Like)?$/.test(name.name);
    return isPromise ? this.firstKind(args, scope) : undefined;
  }

  private kindOfTypeName(name: Node, scope: Scope): ValueKind | undefined {
    if (name.type === 'Identifier') return this.kindOf(name, scope);
    const [left, right] = [name.left ?? name.qualification, name.right ?? name.id];
    const outer = left && this.kindOfTypeName(left, scope);
    return outer && memberKind(outer, right.name);
  }

  private findObjects(node: Node, scope: Scope): Source[] {
    if (node.type === 'ObjectExpression') return [{ node, scope }];
    if (WRAPPERS.has(node.type)) return this.objectLiterals(node.expression, scope);
    const several = alternatives(node);
    if (several.length > 0) return several.flatMap((part) => this.objectLiterals(part, scope));
    if (node.type === 'Identifier') {
      const variable = this.tree.variableOf(node) ?? lookUp(node.name, scope);
      return (variable?.references ?? []).flatMap(({ writeExpr, from }) =>
        this.objectLiterals(writeExpr as Node | null | undefined, from),
      );
    }
    if (isMember(node)) {
      const name = propertyName(node.property, node.computed);
      const sources = name === undefined ? [] : (this.index.properties.get(name) ?? []);
      return sources.flatMap((source) => this.objectLiterals(source.node, source.scope));
    }
    return [];
  }
}

/** `x` of `import name from 'x'`. */
function sourceOf(definition: Definition): string {
  return (definition.parent as unknown as Node).source.value;
}
