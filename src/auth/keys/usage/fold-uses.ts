import type { KeyUse, RecordedUse } from '../contract.ts'

/** Stands for any value, where several uses were folded into one. */
export const anything = '*'

type Part = keyof KeyUse
type Coarsen = (text: string) => string

/** A part that a request lacks, such as a name, is also absent from the folded use. */
const ifGiven: Coarsen = (text) => (text === '' ? '' : anything)

/** Successively coarser forms of each part of a use. */
const coarser: Readonly<Record<Part, readonly Coarsen[]>> = {
  name: [ifGiven],
  namespace: [ifGiven],
  path: [(path) => path.replace(/^(\/[^/]+\/).*$/s, `$1${anything}`), (path) => (path === '' ? '' : `/${anything}`)],
  target: [
    (target) => target.replace(/^(project\/[^/]*\/[^/]+\/).*$/s, `$1${anything}`),
    (target) =>
      target
        .replace(/^cluster\/.*$/s, `cluster/${anything}`)
        .replace(/^project\/[^/]*\/([^/]+)\/.*$/s, `project/${anything}/$1/${anything}`),
  ],
  group: [() => anything],
  resource: [ifGiven],
  verb: [() => anything],
}

const parts: readonly Part[] = ['verb', 'group', 'resource', 'namespace', 'name', 'path', 'target']

/** The details that are dropped first, and how far. */
const order: readonly (readonly [Part, number])[] = [
  ['name', 0],
  ['path', 0],
  ['namespace', 0],
  ['target', 0],
  ['target', 1],
  ['path', 1],
  ['resource', 0],
  ['group', 0],
  ['verb', 0],
]

/** No part contains a line break, unless the request was nonsense. */
export function useText({ verb, group, resource, namespace, name, path, target }: KeyUse): string {
  return `${verb}\n${group}\n${resource}\n${namespace}\n${name}\n${path}\n${target}`
}

export function isFolded(use: KeyUse): boolean {
  return parts.some((part) => use[part].includes(anything) && use[part].split('/').includes(anything))
}

/** Whether `wide` includes `use`. */
export function covers(wide: KeyUse, use: KeyUse): boolean {
  return parts.every(
    (part) => wide[part] === use[part] || coarser[part].some((coarsen) => coarsen(use[part]) === wide[part]),
  )
}

/**
 * At most `most` uses that cover all given ones. Folds no more than needed: the least important details first, and
 * among them the most numerous.
 */
export function foldedTo(most: number, uses: readonly RecordedUse[]): readonly RecordedUse[] {
  let kept = uses
  for (let depth = 1; depth <= order.length && kept.length > most; depth++) kept = foldedAt(depth, most, kept)
  return kept
}

function foldedAt(depth: number, most: number, uses: readonly RecordedUse[]): readonly RecordedUse[] {
  let surplus = uses.length - most
  const families = familiesAt(depth, uses).toSorted((left, right) => right.length - left.length)
  return families.flatMap((family) => {
    if (surplus <= 0) return family
    surplus -= family.length - 1
    return family.reduce(foldedTogether)
  })
}

/** Groups uses that differ only in the details dropped at this depth. */
function familiesAt(depth: number, uses: readonly RecordedUse[]): readonly (readonly RecordedUse[])[] {
  const families = new Map<string, RecordedUse[]>()
  for (const use of uses) {
    const text = useText(formAt(depth, use))
    const family = families.get(text)
    if (family === undefined) families.set(text, [use])
    else family.push(use)
  }
  return [...families.values()]
}

function formAt(depth: number, use: KeyUse): KeyUse {
  const form: Record<Part, string> = { ...use }
  for (const [part, step] of order.slice(0, depth)) form[part] = coarser[part][step]?.(form[part]) ?? form[part]
  return form
}

/** Keeps the common parts. */
function foldedTogether(left: RecordedUse, right: RecordedUse): RecordedUse {
  const common = (part: Part): string => {
    if (left[part] === right[part]) return left[part]
    const coarsen = coarser[part].find((each) => each(left[part]) === each(right[part]))
    return coarsen?.(left[part]) ?? anything
  }
  return {
    verb: common('verb'),
    group: common('group'),
    resource: common('resource'),
    namespace: common('namespace'),
    name: common('name'),
    path: common('path'),
    target: common('target'),
    lastMs: Math.max(left.lastMs, right.lastMs),
  }
}
