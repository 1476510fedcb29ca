import { countedWord } from '../format/words.ts'
import { type Fetched, itemsOf } from './fetched.ts'

/** The number of items, even while more arrive; empty if it is not known: the table below shows why. */
export function loadedCount(fetched: Fetched<readonly unknown[]>, noun: string): string {
  const count = itemsOf(fetched).length
  switch (fetched.state) {
    case 'loading':
      return count === 0 ? 'Loading…' : `Loading… ${count.toLocaleString('en')} so far`
    case 'failed':
      return ''
    case 'empty':
    case 'known':
      return countedWord(count, noun)
  }
}
