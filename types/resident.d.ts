/** Stands for the emitted declarations of the engine's own API while the package is not built. */
export * from '../lib/resident/index';
