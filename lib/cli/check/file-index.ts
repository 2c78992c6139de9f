import type { Scope } from 'eslint-scope';
import { exportName, isIdentifier, isMember, isModuleExports } from './nodes.js';
import { type Node, propertyName, type SyntaxTree, stringOf } from './syntax.js';

/** An expression and the scope that it stands in. */
export interface Source {
  readonly node: Node;
  readonly scope: Scope;
}

/** What a file sets and exports, by name. */
export class FileIndex {
  /** Every value that a property of this name is given, or typed with, on whatever object. */
  readonly properties = new Map<string, Source[]>();
  readonly exports = new Map<string, Source>();
  readonly reexports = new Map<string, { readonly specifier: string; readonly name: string }>();
  /** Modules that are re-exported whole. */
  readonly starExports: string[] = [];
  /** `import name = require('specifier')` */
  readonly importEquals = new Map<string, string>();

  /** What functions of this name are called with. */
  readonly calls = new Map<string, Source[]>();
  /** The names of functions that are given to a variable. */
  readonly functionNames = new Map<Node, string>();

  constructor(tree: SyntaxTree) {
    tree.walk((node, scope) => this.collect(node, scope));
  }

  private collect(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'AssignmentExpression':
        if (isMember(node.left)) this.collectAssignment(node, scope);
        break;
      case 'PropertyDefinition':
      case 'ClassPrivateProperty':
      case 'AccessorProperty':
      case 'TSPropertySignature':
        this.addProperty(node.key, node.computed, node.typeAnnotation, scope);
        this.addProperty(node.key, node.computed, node.value, scope);
        break;
      case 'Property':
      case 'MethodDefinition':
        this.addProperty(node.key, node.computed, node.value, scope);
        break;
      case 'CallExpression':
        if (node.callee.type === 'Identifier') push(this.calls, node.callee.name, { node, scope });
        break;
      case 'VariableDeclarator':
        if (node.init != null && node.id.type === 'Identifier') this.functionNames.set(node.init, node.id.name);
        break;
      case 'FunctionDeclaration':
        if (node.id != null) this.functionNames.set(node, node.id.name);
        break;
      case 'TSParameterProperty': {
        const { parameter } = node;
        const key = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
        this.addProperty(key, false, key.typeAnnotation, scope);
        break;
      }
      case 'TSImportEqualsDeclaration':
        if (node.moduleReference.type === 'TSExternalModuleReference') {
          this.importEquals.set(node.id.name, stringOf(node.moduleReference.expression) ?? '');
        }
        break;
      default:
        this.collectExport(node, scope);
    }
  }

  private collectAssignment(node: Node, scope: Scope): void {
    const { object, property, computed } = node.left;
    this.addProperty(property, computed, node.right, scope);
    const name = propertyName(property, computed);
    if (name === undefined) return;
    if (isIdentifier(object, 'module') && name === 'exports') this.exports.set('default', { node: node.right, scope });
    if (isIdentifier(object, 'exports') || isModuleExports(object)) this.exports.set(name, { node: node.right, scope });
  }

  private addProperty(key: Node, computed: boolean, value: Node | null | undefined, scope: Scope): void {
    const name = propertyName(key, computed);
    if (name === undefined || value == null) return;
    push(this.properties, name, { node: value, scope });
  }

  private collectExport(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'ExportDefaultDeclaration':
        this.exports.set('default', { node: node.declaration, scope });
        break;
      case 'TSExportAssignment':
        this.exports.set('default', { node: node.expression, scope });
        break;
      case 'ExportAllDeclaration':
        if (node.exported == null) this.starExports.push(node.source.value);
        else this.reexports.set(exportName(node.exported), { specifier: node.source.value, name: '*' });
        break;
      case 'ExportNamedDeclaration':
        this.collectNamedExports(node, scope);
        break;
    }
  }

  private collectNamedExports(node: Node, scope: Scope): void {
    for (const specifier of node.specifiers) {
      const name = exportName(specifier.exported);
      if (node.source == null) this.exports.set(name, { node: specifier.local, scope });
      else
        this.reexports.set(name, { specifier: node.source.value, name: exportName(specifier.local ?? { name: '*' }) });
    }
    const { declaration } = node;
    for (const declarator of declaration?.declarations ?? []) {
      if (declarator.id.type === 'Identifier') this.exports.set(declarator.id.name, { node: declarator.id, scope });
    }
    if (declaration?.type === 'ClassDeclaration' || declaration?.type === 'FunctionDeclaration')
      this.exports.set(declaration.id.name, { node: declaration, scope });
  }
}

function push(map: Map<string, Source[]>, name: string, source: Source): void {
  map.set(name, [...(map.get(name) ?? []), source]);
}
