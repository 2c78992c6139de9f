import { type Emitter, Events } from './events';

export interface BatcherOptions {
  /** The longest time in ms that the first item of a batch may wait before the batch is flushed. Default: no limit. */
  maxTime?: number | null;
  /** How many items make a batch that is flushed at once. Default: no limit. */
  maxSize?: number | null;
  /** The promise class of what `add` returns. Default: the native one. */
  // biome-ignore lint/suspicious/noExplicitAny: any promise implementation
  Promise?: any;
}

/** The longest delay that a timer of Node or of a browser can hold, in ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Gathers items into batches. Each batch is given to the `batch` listeners as one array.
 *
 * An item that a `batch` listener adds while it is called belongs to the next batch.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: Events adds these methods to every instance
export class Batcher {
  declare Events: Events;
  maxTime: number | null;
  maxSize: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: any promise implementation
  Promise: any;
  options: BatcherOptions;

  /** @internal */
  _items: unknown[] = [];
  /** @internal */
  _flushed!: Promise<void>;
  /** @internal */
  _resolve!: () => void;
  /** @internal */
  _timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BatcherOptions = {}) {
    this.options = options;
    this.maxTime = options.maxTime ?? null;
    this.maxSize = options.maxSize ?? null;
    this.Promise = options.Promise ?? Promise;
    this.Events = new Events(this);
    this._startBatch();
  }

  /**
   * Adds an item to the current batch.
   *
   * @returns a promise that resolves when that batch has been flushed.
   */
  // biome-ignore lint/suspicious/noExplicitAny: an item is whatever the listener expects
  add(item: any): Promise<void> {
    this._items.push(item);
    const flushed = this._flushed;
    if (this._items.length === this.maxSize) this._flush();
    else if (this.maxTime != null && this._items.length === 1) this._armTimer(this.maxTime);
    return flushed;
  }

  /** @internal */
  _armTimer(delay: number): void {
    const rest = delay - MAX_TIMER_MS;
    this._timer =
      rest > 0 ? setTimeout(() => this._armTimer(rest), MAX_TIMER_MS) : setTimeout(() => this._flush(), delay);
  }

  /** @internal */
  _flush(): void {
    clearTimeout(this._timer);
    const items = this._items;
    const resolve = this._resolve;
    this._startBatch();
    resolve();
    this.Events.emit('batch', items);
  }

  /** @internal */
  _startBatch(): void {
    this._items = [];
    this._flushed = new this.Promise((resolve: () => void) => {
      this._resolve = resolve;
    });
  }
}

export interface Batcher extends Emitter {}
