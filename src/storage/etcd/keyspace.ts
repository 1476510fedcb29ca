/**
 * Maps storage keys to etcd keys: a prefix lets several stores share one etcd. The barrier, a key that every write
 * touches, sorts before all others and is never returned.
 */
export class Keyspace {
  readonly #prefix: string
  readonly barrier: Buffer
  /** The range [start, end) of all keys of this store, including the barrier. */
  readonly start: Buffer
  readonly end: Buffer

  /** A trailing slash of the prefix is removed; storage keys begin with one. */
  constructor(prefix: string) {
    this.#prefix = prefix.replace(/\/+$/, '')
    this.barrier = Buffer.from(`${this.#prefix}${barrierKey}`)
    this.start = Buffer.from(`${this.#prefix}/`)
    this.end = after(this.start)
  }

  toEtcd(key: string): Buffer {
    if (!key.startsWith('/') || key.startsWith(hiddenKeys)) {
      throw new RangeError(`a storage key begins with a slash and a character above U+0000, this one does not: ${key}`)
    }
    return Buffer.from(this.#prefix + key)
  }

  fromEtcd(key: Buffer): string {
    return key.toString('utf8', this.start.length - 1)
  }

  isBarrier(key: Buffer): boolean {
    return key.equals(this.barrier)
  }

  /**
   * The range of keys that start with the prefix and follow `afterKey`, without hidden ones. `undefined`: no key can
   * match.
   */
  range(prefix: string, afterKey: string | undefined): EtcdRange | undefined {
    if (prefix !== '' && !prefix.startsWith('/')) return undefined
    const first = Buffer.from(this.#prefix + prefix)
    const starts: Buffer[] = [first, Buffer.from(`${this.#prefix}${firstVisibleKey}`)]
    if (afterKey !== undefined) starts.push(Buffer.from(`${this.#prefix}${afterKey}\u0000`))
    const start = starts.reduce(later)
    const end = prefix === '' ? this.end : after(first)
    return Buffer.compare(start, end) < 0 ? { key: start, rangeEnd: end } : undefined
  }
}

export interface EtcdRange {
  readonly key: Buffer
  readonly rangeEnd: Buffer
}

const hiddenKeys = '/\u0000'
const barrierKey = `${hiddenKeys}barrier`
const firstVisibleKey = '/\u0001'

function later(one: Buffer, other: Buffer): Buffer {
  return Buffer.compare(one, other) >= 0 ? one : other
}

/** The first key that does not begin with these bytes. UTF-8 has no 0xff, so the last byte can be incremented. */
function after(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix)
  const last = end.length - 1
  end[last] = (end[last] ?? 0) + 1
  return end
}
