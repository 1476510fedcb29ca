import { createHash } from 'node:crypto'

/** A write that was acknowledged to the killed process. */
export interface Acknowledged {
  readonly revision: number
  readonly key: string
  readonly type: 'created' | 'updated' | 'deleted'
  readonly value: string
}

/** A value of some size that shows whether it is complete. */
export function sealed(content: string): string {
  const filler = 'x'.repeat(content.length * 37)
  return `${content} ${filler} ${digest(content + filler)}`
}

export function isWhole(value: string): boolean {
  const [content = '', filler = '', seal] = value.split(' ')
  return seal === digest(content + filler)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
