import { childrenOf, type Node, propertyName, stringOf } from './syntax.js';

/** Nodes around an expression that do not change its value. */
export const WRAPPERS = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TypeCastExpression',
]);

export const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** `x` of `require('x')`. */
export function requireSpecifier(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || !isIdentifier(node.callee, 'require')) return undefined;
  return stringOf(node.arguments[0]);
}

export function isMember(node: Node): boolean {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
}

export function isIdentifier(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

export function isModuleExports(node: Node): boolean {
  return (
    isMember(node) && isIdentifier(node.object, 'module') && propertyName(node.property, node.computed) === 'exports'
  );
}

/** Helpers that compilers put around imports are known by name. */
export function calleeName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'SequenceExpression') return calleeName(callee.expressions.at(-1));
  return isMember(callee) ? propertyName(callee.property, callee.computed) : undefined;
}

export function importedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  return exportName(specifier.imported);
}

export function exportName(node: Node | { name: string }): string {
  return 'name' in node ? (node.name as string) : String((node as Node).value);
}

export function* returnedBy(body: Node): Generator<Node> {
  for (const child of childrenOf(body)) {
    if (child.type === 'ReturnStatement') {
      if (child.argument != null) yield child.argument;
    } else if (!FUNCTIONS.has(child.type)) yield* returnedBy(child);
  }
}

/** `pattern = value`, as a parameter or in a pattern. */
export function withoutDefault(node: Node): { readonly pattern: Node; readonly value: Node | null } {
  const inner = node.type === 'TSParameterProperty' ? node.parameter : node;
  return inner.type === 'AssignmentPattern'
    ? { pattern: inner.left, value: inner.right }
    : { pattern: inner, value: null };
}

export function propertyHolding(pattern: Node, name: Node): Node | undefined {
  for (const child of childrenOf(pattern)) {
    if (child.type === 'Property') {
      if (withoutDefault(child.value).pattern === name) return child;
    }
    const inner = propertyHolding(child, name);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The parts that together, or one of them, make up an object. */
export function alternatives(node: Node): Node[] {
  switch (node.type) {
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'LogicalExpression':
      return [node.left, node.right];
    case 'CallExpression':
      return calleeName(node.callee) === 'assign' ? node.arguments : [];
    default:
      return [];
  }
}
