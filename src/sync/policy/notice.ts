import type { Trouble } from '../contract.ts'
import type { Refusal } from './contract.ts'

const mostNamed = 3

/**
 * The message for the owner of an object: each field with the reason why it is not on the host, and what the operator
 * can do about it.
 */
export function noticeOf(refusals: readonly Refusal[], isHeld: boolean): Trouble | undefined {
  if (refusals.length === 0) return undefined
  const parts = grouped(refusals).map(sentence)
  return isHeld
    ? { reason: 'HeldBackByPolicy', message: `nothing of this object is carried to the host: ${parts.join('; ')}` }
    : { reason: 'DroppedByPolicy', message: `not carried to the host: ${parts.join('; ')}` }
}

function grouped(refusals: readonly Refusal[]): readonly (readonly Refusal[])[] {
  const groups = new Map<string, Refusal[]>()
  for (const refusal of refusals) {
    const group = groups.get(refusal.remedy)
    if (group === undefined) groups.set(refusal.remedy, [refusal])
    else group.push(refusal)
  }
  return [...groups.values()]
}

function sentence(refusals: readonly Refusal[]): string {
  const [first] = refusals
  const more = refusals.length - mostNamed
  const named = refusals.slice(0, mostNamed)
  const isSameReason = named.every(({ reason }) => reason === first?.reason)
  const fields = isSameReason
    ? `${named.map(({ field }) => field).join(', ')}${rest(more)}: ${first?.reason}`
    : `${named.map(({ field, reason }) => `${field}: ${reason}`).join(', ')}${rest(more)}`
  return `${fields} (${first?.remedy})`
}

function rest(more: number): string {
  return more > 0 ? ` and ${more} more` : ''
}
