/** What declarations offer, by name: options, methods (`stop()`), events (`on:idle`), classes and statics. */
import { readFileSync } from 'node:fs';
import ts from 'typescript5';

export function declaredIn(file: string): Set<string> {
  const names = new Set<string>();
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  visit(source, names);
  return names;
}

function visit(node: ts.Node, names: Set<string>): void {
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type))
    addOptions(node.name, node.type.members, names);
  if (ts.isInterfaceDeclaration(node)) addOptions(node.name, node.members, names);
  if (ts.isClassDeclaration(node)) addClass(node, names);
  ts.forEachChild(node, (child) => visit(child, names));
}

function addOptions(name: ts.Identifier, members: readonly ts.TypeElement[], names: Set<string>): void {
  if (!name.text.endsWith('Options')) return;
  for (const member of members) if (ts.isPropertySignature(member)) names.add(member.name.getText());
}

function addClass({ name, members }: ts.ClassDeclaration, names: Set<string>): void {
  if (name) names.add(name.text);
  for (const member of members) {
    if (ts.isPropertyDeclaration(member)) names.add(member.name.getText());
    if (!ts.isMethodDeclaration(member)) continue;
    names.add(`${member.name.getText()}()`);
    const event = member.name.getText() === 'on' ? literalOf(member.parameters[0]?.type) : undefined;
    if (event !== undefined) names.add(`on:${event}`);
  }
}

function literalOf(type: ts.TypeNode | undefined): string | undefined {
  return type && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : undefined;
}
