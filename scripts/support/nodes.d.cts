/** The program in a folder that Node was unpacked to. */
export function nodeIn(folder: string): string;

/** One of each major version of Node on this machine, in the order of their versions. */
export function findNodes(): Array<{ version: string; program: string }>;
