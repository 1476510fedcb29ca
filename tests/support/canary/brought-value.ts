/** The prefix of all values that tests provide themselves, so that they are recognized everywhere. */
export const broughtMarker = 'brought-canary-'

/** A value for `spec.key`, of sufficient length. */
export function broughtValue(name: string): string {
  return `${broughtMarker}${name}-0123456789-0123456789`
}
