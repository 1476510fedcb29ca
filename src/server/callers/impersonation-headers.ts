export interface ImpersonationHeaders {
  /** Empty if only the other headers were sent. */
  readonly user: string
  readonly uid: string
  readonly groups: readonly string[]
  /** Keys in lower case and decoded. */
  readonly extra: readonly (readonly [key: string, values: readonly string[]])[]
}

const anyPrefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Reads the raw headers, because a joined header does not distinguish two groups from one with a comma. Undefined if no
 * impersonation is requested.
 */
export function readImpersonation(rawHeaders: readonly string[]): ImpersonationHeaders | undefined {
  let user = ''
  let uid = ''
  const groups: string[] = []
  const extra = new Map<string, string[]>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!mayImpersonate(name)) continue
    const lowerName = name.toLowerCase()
    const value = utf8(rawHeaders[index + 1] ?? '')
    if (lowerName === 'impersonate-user') user ||= value
    else if (lowerName === 'impersonate-uid') uid ||= value
    else if (lowerName === 'impersonate-group') groups.push(value)
    else if (lowerName.startsWith(extraPrefix)) addExtra(extra, lowerName.slice(extraPrefix.length), value)
  }
  if (user === '' && uid === '' && groups.length === 0 && extra.size === 0) return undefined
  return { user, uid, groups, extra: [...extra] }
}

/** Must be cheap: it runs for every header of every request. */
function mayImpersonate(name: string): boolean {
  const first = name.charCodeAt(0)
  return (first === 0x69 || first === 0x49) && name.slice(0, anyPrefix.length).toLowerCase() === anyPrefix
}

function addExtra(extra: Map<string, string[]>, encodedKey: string, value: string): void {
  const key = decodedKey(encodedKey)
  const values = extra.get(key) ?? []
  extra.set(key, values)
  values.push(value)
}

/** A key that is not properly encoded is taken literally. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** Header values arrive as one character per byte. */
function utf8(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8')
}
