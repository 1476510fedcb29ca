export const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** The alphabet of generated suffixes and of hashes of templates. */
export const nameSuffix = '[bcdfghjklmnpqrstvwxz2456789]'

const replacements: readonly (readonly [RegExp, string])[] = [
  [new RegExp(uuid, 'g'), '<uid>'],
  [new RegExp(`\\b(gen-)${nameSuffix}{5}\\b`, 'g'), '$1<sfx>'],
  [new RegExp(`(kube-api-access-)${nameSuffix}{5}\\b`, 'g'), '$1<sfx>'],
  [new RegExp(`(<hash:\\d+>-(?:\\d+-)?)${nameSuffix}{5}\\b`, 'g'), '$1<sfx>'],
  [/0x[0-9a-f]{9,12}\b/g, '<ptr>'],
  // A Go value in a message, over several lines.
  [/\n[ \u00a0]{2}(?:&|\*)?(?:\[\])?\w+\.\w+\{[\s\S]*?\n[ \u00a0]{2}\}\n?/g, ''],
  [/(The range of valid IPs is )\S+/g, '$1<range>'],
  [/(in record \()\d+\)/g, '$1<rv>)'],
  [/(current: )\d+/g, '$1<rv>'],
  [/(in object meta: )\d+/g, '$1<rv>'],
  [/(too old resource version: \d+ \()\d+/g, '$1<rv>'],
  [/(StorageError: invalid object, Code: 4, Key: )\S+,/g, '$1<key>,'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/(127\.0\.0\.1|localhost):\d{5}/g, '<hook>'],
  [/(127\.0\.0\.1|localhost):[1-9]\d{3}\b/g, '<hook>'],
  [/-\d{8}\b/g, '-<sched>'],
  [/\.[0-9a-f]{16}\b/g, '.<ev>'],
]

/**
 * A text in which the differences between two runs are replaced: generated names, hashes, then values that are
 * recognizable by their form.
 */
export function normalText(
  value: string,
  names: ReadonlyMap<string, string>,
  hashes: ReadonlyMap<string, string>,
): string {
  let text = value
  for (const [name, normal] of [...names].sort(([left], [right]) => right.length - left.length)) {
    text = text.replaceAll(name, normal)
  }
  for (const [hash, normal] of hashes) {
    if (text.includes(hash)) text = text.replace(new RegExp(`(?<![a-z0-9])${hash}(?![a-z0-9])`, 'g'), normal)
  }
  for (const [pattern, replacement] of replacements) text = text.replace(pattern, replacement)
  return text.includes(' value: ') ? withoutGoValues(text) : text
}

const goValue = /((?:Invalid|Duplicate|Unsupported) value: )(&?(?:\[\]|map\[\w+\])?\*?[a-z][a-z0-9]*\.[A-Z]\w*\{|\{)/g

/** Go structs inside messages (`v1.LabelSelector{...}`), and JSON objects in their place, become `<value>`. */
function withoutGoValues(text: string): string {
  goValue.lastIndex = 0
  const match = goValue.exec(text)
  if (match === null) return text
  const start = match.index + (match[1]?.length ?? 0)
  const rest = text.slice(endOfBraces(text, match.index + match[0].length))
  return `${text.slice(0, start)}<value>${withoutGoValues(rest)}`
}

/** The position of the brace that closes the one opened before `from`, ignoring braces in quotes. */
function endOfBraces(text: string, from: number): number {
  let depth = 1
  let index = from
  for (let isQuoted = false; index < text.length && depth > 0; index += 1) {
    const character = text[index]
    if (isQuoted && character === '\\') index += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === '{') depth += 1
    else if (!isQuoted && character === '}') depth -= 1
  }
  return index
}
