/** Differences between two runs of one server are replaced by their type; the rest must be equal. */
export function normalizer(): (value: unknown) => unknown {
  const uids = new Map<string, string>()
  const uidName = (uid: string): string => {
    const known = uids.get(uid) ?? `<uid${uids.size}>`
    uids.set(uid, known)
    return known
  }
  const normalize = (value: unknown): unknown => {
    if (typeof value === 'string') return normalText(value)
    if (Array.isArray(value)) return value.map(normalize)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, member]) => [key, normalMember(key, member)] as const)
    const object: Record<string, unknown> = Object.fromEntries(entries)
    if (Array.isArray(object.managedFields)) object.managedFields.sort(byManager)
    return object
  }
  const normalMember = (key: string, member: unknown): unknown => {
    if (typeof member === 'string') {
      if (key === 'description') return '<doc>'
      if (key === 'uid' && /^[0-9a-f-]{36}$/.test(member)) return uidName(member)
      if (key === 'resourceVersion' && member !== '' && member !== '0') return '<rv>'
      if (key === 'continue' && member !== '') return '<continue>'
      if (['creationTimestamp', 'deletionTimestamp', 'time'].includes(key)) return '<time>'
      if (key === 'serverAddress') return '<addr>'
      if (key === 'clusterIP' && member.startsWith('10.')) return '<ip>'
    }
    if (key === 'clusterIPs' && Array.isArray(member)) {
      return member.map((address: string) => (address.startsWith('10.') ? '<ip>' : address))
    }
    return normalize(member)
  }
  return normalize
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b(gen-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<sfx>'],
  [/(a{58})[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<sfx>'],
  [/0xc0[0-9a-f]{8}/g, '<ptr>'],
  [/(in record \()\d+\)/g, '$1<rv>)'],
  [/(current: )\d+/g, '$1<rv>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/^\d+(m\d+)?s$|^<invalid>$/g, '<age>'],
]

function normalText(text: string): string {
  return replacements.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}

function byManager(left: Record<string, string>, right: Record<string, string>): number {
  const key = (entry: Record<string, string>) => [entry.manager, entry.operation, entry.subresource ?? ''].join('\n')
  return key(left) < key(right) ? -1 : 1
}
