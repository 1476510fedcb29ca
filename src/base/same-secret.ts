import { timingSafeEqual } from 'node:crypto'

/** In a time that tells nothing about how much of it is right. */
export function isSameSecret(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)]
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes)
}
