import { resolve } from 'node:path';
import { type Dependent, findDependents, installedNames } from './dependencies.js';
import { type Difference, differencesAt } from './differences.js';
import { Project, type Unreadable } from './project.js';
import { listFiles } from './source-files.js';
import type { Use } from './uses.js';

export interface CheckOptions {
  /** Ids of differences that were read and found harmless. */
  readonly ignore?: readonly string[];
  /** Whether to look into node_modules. Default true. */
  readonly dependencies?: boolean;
}

export interface Place extends Use {
  readonly file: string;
  /** What behaves differently here, without those ignored. */
  readonly differences: readonly Difference[];
}

export interface CheckResult {
  readonly directory: string;
  readonly places: readonly Place[];
  readonly dependents: readonly Dependent[];
  /** Files that name Bottleneck and that no parser could read. */
  readonly unreadable: readonly Unreadable[];
  /** Whether nothing is left to do or to look at. */
  readonly clean: boolean;
}

/** Finds the uses of Bottleneck in a code base and what behaves differently at each. */
export function check(directory: string, options: CheckOptions = {}): CheckResult {
  const root = resolve(directory);
  const listing = listFiles(root);
  const project = new Project(listing.sources, installedNames(root));
  const ignored = new Set(options.ignore);
  const places = project.uses().flatMap(({ file, uses }) =>
    uses.map((use) => ({
      ...use,
      file,
      differences: differencesAt(use).filter(({ id }) => !ignored.has(id)),
    })),
  );
  const dependents = options.dependencies === false ? [] : findDependents(listing.nodeModules);
  const { unreadable } = project;
  const clean =
    unreadable.length === 0 &&
    places.every(({ differences }) => differences.length === 0) &&
    dependents.every(({ replaced }) => replaced);
  return { directory: root, places, dependents, unreadable, clean };
}
