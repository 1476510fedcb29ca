import type { Writable } from 'node:stream'

/** Resolves when the receiver has taken the written data, or has disconnected. */
export function drainOf(writable: Pick<Writable, 'destroyed' | 'writableNeedDrain' | 'on' | 'off'>): Promise<void> {
  if (writable.destroyed || !writable.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      writable.off('drain', settle)
      writable.off('close', settle)
      resolve()
    }
    writable.on('drain', settle)
    writable.on('close', settle)
  })
}
