/** Allocates that many bytes: in `block`, from `start` on. */
export type Memory = (length: number) => { readonly block: Buffer; readonly start: number }

/** Outside Node's pool, where one long-lived object would keep its neighbors' memory from being freed. */
export const ownMemory: Memory = (length) => ({ block: Buffer.allocUnsafeSlow(length), start: 0 })

const blockBytes = 64 * 1024

/** For full blocks: which texts were searched for, and whether they occur. */
const searches = new WeakMap<Buffer, Map<string, boolean>>()

/**
 * Many objects in one block, for objects that are loaded together and mostly stay. A block lives as long as one object
 * in it, but allocating memory a million times takes longer than filling it.
 */
export function sharedMemory(): Memory {
  let block = Buffer.alloc(0)
  let used = 0
  return (length) => {
    if (length > blockBytes / 8) return ownMemory(length)
    if (used + length > block.length) {
      searches.set(block, new Map())
      block = Buffer.allocUnsafeSlow(blockBytes)
      used = 0
    }
    const start = used
    used += length
    return { block, start }
  }
}

/**
 * False if the text, which must be ASCII, occurs nowhere in the block. Few objects contain the texts that all objects
 * are searched for, so most blocks are searched once for all their objects.
 */
export function mayContain(block: Buffer, text: string): boolean {
  const searched = searches.get(block)
  if (searched === undefined) return true
  const isThere = searched.get(text) ?? block.includes(text, 0, 'latin1')
  searched.set(text, isThere)
  return isThere
}
