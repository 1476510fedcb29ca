/** Room for so many bytes: in the block, from there on. */
export type Memory = (length: number) => { readonly block: Buffer; readonly start: number }

/** Outside of Node's pool: there, one object that stays would keep its neighbors' memory from being freed. */
export const ownMemory: Memory = (length) => ({ block: Buffer.allocUnsafeSlow(length), start: 0 })

const blockBytes = 64 * 1024

/** Of blocks that are full: which texts were searched for, and whether they are there. */
const searches = new WeakMap<Buffer, Map<string, boolean>>()

/**
 * Many objects in one block, for what is loaded together and mostly stays: a block lives as long as one object in it,
 * but to ask for memory a million times takes longer than to fill it.
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
 * False if the text, which is ASCII, stands nowhere in the block. What all objects are searched for is in few of them,
 * so that most blocks are searched once for all that share them.
 */
export function mayContain(block: Buffer, text: string): boolean {
  const searched = searches.get(block)
  if (searched === undefined) return true
  const isThere = searched.get(text) ?? block.includes(text, 0, 'latin1')
  searched.set(text, isThere)
  return isThere
}
