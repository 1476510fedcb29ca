/** The shape of a value, for messages: values themselves may be secret, huge or deep. */
export function describedShape(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
