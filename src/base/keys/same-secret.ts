import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time, so that the duration reveals nothing about a partial match. */
export function isSameSecret(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)]
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}
