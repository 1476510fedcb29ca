export interface UnreadLimits {
  readonly perOwner: number
  readonly total: number
}

/** What one stream holds for a reader who has not taken it yet. */
export interface UnreadHolder {
  /** In all, as of now. */
  set(bytes: number): void
  /** The stream is over. To call it again changes nothing. */
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
 * The memory that streams hold for readers who are behind. Where it is more than there may be, the owner who holds most
 * loses the stream that holds most: its reader comes back and goes on from the last event that it has seen.
 */
export class UnreadMemory {
  readonly #limits: UnreadLimits
  readonly #owners = new Map<string, Owner>()
  #bytes = 0
  /** Ever since. */
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

  /** `cut` ends the stream; it has let go of everything when it returns. */
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

/** Asked only where something is held. */
function largest<T extends { readonly bytes: number }>(all: Iterable<T>): T {
  let most: T | undefined
  for (const each of all) if (most === undefined || each.bytes > most.bytes) most = each
  if (most === undefined) throw new Error('Memory is held by no stream.')
  return most
}
