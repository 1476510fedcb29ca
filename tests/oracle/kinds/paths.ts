/** `a.0.b` inside a JSON value: `*` maps over a list, `#` counts, `name=x` finds in a list, `~1` is a dot in a key. */
export function pick(value: unknown, path: string): unknown {
  return pickParts(value, partsOf(path))
}

/** Removes `a.0.b` from a JSON value that nothing else refers to; `*` walks a list. */
export function remove(value: unknown, path: string): void {
  const parts = partsOf(path)
  const last = parts.pop() ?? ''
  for (const holder of holders(value, parts)) {
    if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else if (isObject(holder)) delete holder[dotted(last)]
  }
}

/** Sets `a.b` inside a JSON value that nothing else refers to; undefined removes it. */
export function put(value: unknown, path: string, to: unknown): void {
  const parts = partsOf(path).map(dotted)
  const last = parts.pop() ?? ''
  let holder = value
  for (const part of parts) {
    if (!isObject(holder)) return
    holder[part] ??= {}
    holder = holder[part]
  }
  if (!isObject(holder)) return
  if (to === undefined) delete holder[last]
  else holder[last] = to
}

function pickParts(value: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts
  if (part === undefined || value === null || value === undefined) return value ?? null
  if (part === '*') return Array.isArray(value) ? value.map((each) => pickParts(each, rest)) : null
  if (part === '#') return countOf(value)
  if (Array.isArray(value)) return pickParts(inList(value, part), rest)
  return isObject(value) ? pickParts(value[dotted(part)], rest) : null
}

function inList(list: readonly unknown[], part: string): unknown {
  if (/^\d+$/.test(part)) return list[Number(part)]
  const equals = part.indexOf('=')
  if (equals < 0) return null
  const wanted = dotted(part.slice(equals + 1))
  return list.find((each) => String(pick(each, dotted(part.slice(0, equals)))) === wanted)
}

function holders(value: unknown, parts: readonly string[]): readonly unknown[] {
  const [part, ...rest] = parts
  if (part === undefined) return [value]
  if (part === '*' && Array.isArray(value)) return value.flatMap((each) => holders(each, rest))
  if (Array.isArray(value)) return holders(value[Number(part)], rest)
  return isObject(value) ? holders(value[dotted(part)], rest) : []
}

function countOf(value: unknown): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : null
}

function partsOf(path: string): string[] {
  return path === '' ? [] : path.split('.')
}

function dotted(part: string): string {
  return part.replaceAll('~1', '.')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
