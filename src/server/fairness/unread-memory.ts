export interface UnreadLimits {
  readonly perOwner: number
  readonly total: number
}

/** The memory that one stream holds for a reader that is behind. */
export interface UnreadHolder {
  /** The current total. */
  set(bytes: number): void
  /** The stream has ended. May be called repeatedly. */
  close(): void
}

interface Holder {
  readonly owner: Owner
  readonly cut: () => void
  bytes: number
}

interface Owner {
  readonly name: string
  readonly holders: Set<Holder>
  bytes: number
}

/**
 * The memory that streams hold for readers that are behind. When it exceeds the limit, the owner who holds the most
 * loses their largest stream: its reader reconnects and resumes from the last event it has seen.
 */
export class UnreadMemory {
  readonly #limits: UnreadLimits
  readonly #owners = new Map<string, Owner>()
  #bytes = 0
  /** Counted since the start. */
  cuts = 0

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  heldBy(owner: string): number {
    return this.#owners.get(owner)?.bytes ?? 0
  }

  /** `cut` ends the stream and has released all of its memory when it returns. */
  open(ownerName: string, cut: () => void): UnreadHolder {
    const owner = this.#owners.get(ownerName) ?? { name: ownerName, holders: new Set(), bytes: 0 }
    this.#owners.set(ownerName, owner)
    const holder: Holder = { owner, cut, bytes: 0 }
    owner.holders.add(holder)
    return {
      set: (bytes) => {
        if (!owner.holders.has(holder) || bytes === holder.bytes) return
        const isMore = bytes > holder.bytes
        this.#change(holder, bytes)
        if (isMore) this.#keepWithin(owner)
      },
      close: () => this.#forget(holder),
    }
  }

  #change(holder: Holder, bytes: number): void {
    const change = bytes - holder.bytes
    holder.bytes = bytes
    holder.owner.bytes += change
    this.#bytes += change
  }

  #keepWithin(owner: Owner): void {
    while (owner.bytes > this.#limits.perOwner) this.#cutLargest(owner)
    while (this.#bytes > this.#limits.total) this.#cutLargest(largest(this.#owners.values()))
  }

  #cutLargest({ holders }: Owner): void {
    const holder = largest(holders)
    this.#forget(holder)
    this.cuts += 1
    holder.cut()
  }

  #forget(holder: Holder): void {
    const { owner } = holder
    if (!owner.holders.delete(holder)) return
    owner.bytes -= holder.bytes
    this.#bytes -= holder.bytes
    if (owner.holders.size === 0) this.#owners.delete(owner.name)
  }
}

/** Called only while memory is held. */
function largest<T extends { readonly bytes: number }>(all: Iterable<T>): T {
  let most: T | undefined
  for (const each of all) if (most === undefined || each.bytes > most.bytes) most = each
  if (most === undefined) throw new Error('Memory is held by no stream.')
  return most
}
