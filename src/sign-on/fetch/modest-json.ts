import { shapeOf } from '../../base/json/byte-scanner.ts'
import { unreadable } from './answer-problem.ts'

/** More than providers send. What is nested deeper, or has more values, takes far longer to build than its size says. */
const maxDepth = 100
const maxValues = 20_000

/** Throws if it would take long to build what a provider sends. Bytes that are not JSON pass. */
export function requireModestJson(bytes: Uint8Array, origin: string): void {
  const { depth, values } = shapeOf(bytes)
  if (depth <= maxDepth && values <= maxValues) return
  throw unreadable(origin, 'sends JSON that is nested too deeply or too large')
}
