/** Room for so many bytes: in the block, from there on. */
export type Memory = (length: number) => { readonly block: Buffer; readonly start: number }

/** Outside of Node's pool: there, one object that stays would keep its neighbours' memory from being freed. */
export const ownMemory: Memory = (length) => ({ block: Buffer.allocUnsafeSlow(length), start: 0 })

const blockBytes = 64 * 1024

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
      block = Buffer.allocUnsafeSlow(blockBytes)
      used = 0
    }
    const start = used
    used += length
    return { block, start }
  }
}
