/** All values that tests bring themselves begin with this, so that one is recognized wherever it turns up. */
export const broughtMarker = 'brought-canary-'

/** A value for `spec.key`, long enough for one. */
export function broughtValue(name: string): string {
  return `${broughtMarker}${name}-0123456789-0123456789`
}
