import { hash } from 'node:crypto'

const longestName = 253

/** Equal content gives equal names, so that an Event that is written again is found. */
export function eventNameFor(subject: string, content: readonly unknown[]): string {
  const mark = hash('sha256', JSON.stringify(content), 'hex').slice(0, 16)
  return `${subject.slice(0, longestName - mark.length - 1).replace(/[.-]+$/, '')}.${mark}`
}
