/** A binary min-heap of things due at a time. Equal times come out in the order in which they went in. */
export interface Deadline {
  at: number;
  /** Tie-breaker, set by the heap. */
  order: number;
}

export class DeadlineHeap<T extends Deadline> {
  private readonly items: T[] = [];
  private inserted = 0;

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    item.order = this.inserted++;
    const items = this.items;
    let i = items.length;
    items.push(item);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(item, items[parent]!)) break;
      items[i] = items[parent]!;
      i = parent;
    }
    items[i] = item;
  }

  pop(): T | undefined {
    const items = this.items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    this.siftDown(0, last);
    return top;
  }

  /** O(n). */
  find(wanted: (item: T) => boolean): T | undefined {
    return this.items.find(wanted);
  }

  /** Drops every item for which `keep` is false: O(n), for the rare clean-up of cancelled deadlines. */
  filter(keep: (item: T) => boolean): void {
    const kept = this.items.filter(keep).sort((a, b) => (before(a, b) ? -1 : 1));
    this.items.length = 0;
    for (const item of kept) this.items.push(item);
  }

  private siftDown(start: number, item: T): void {
    const items = this.items;
    const length = items.length;
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= length) break;
      if (child + 1 < length && before(items[child + 1]!, items[child]!)) child++;
      if (!before(items[child]!, item)) break;
      items[i] = items[child]!;
      i = child;
    }
    items[i] = item;
  }
}

function before(a: Deadline, b: Deadline): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
