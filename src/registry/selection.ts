import type { Kind } from '../api/kind.ts'
import type { KubeObject } from '../api/object.ts'
import { type FieldSelector, parseFieldSelector } from '../api/selectors/field-selector.ts'
import { type LabelSelector, parseLabelSelector } from '../api/selectors/label-selector.ts'
import { sortedMap } from '../base/sorted-map.ts'
import type { Cache, Snapshot } from './cache.ts'
import type { Visibility } from './contract.ts'
import type { StoredDocument } from './document.ts'

/** Lets a caller that tests one document for many selections parse it only once. */
export type ReadObject = (document: StoredDocument) => KubeObject

/** The objects that a list or a watch selects. */
export interface ObjectSelection {
  /** Equal for selections that select the same objects. */
  readonly id: string
  /** Whether there are no conditions. */
  readonly everything: boolean
  /** The approximate number of conditions to check per object. */
  readonly effort: number
  /** Calls `read` only if labels and name do not decide. */
  matches(document: StoredDocument, read?: ReadObject): boolean
  /** The current objects that may match: few, if it is known which objects the user may see. */
  among(cache: Cache): Snapshot
  /** Whether every object must be tested, which may require parsing it. */
  readonly isSelective: boolean
  /**
   * Visits matching objects in order, after a key, until the visitor returns false or it is time to rest: then returns
   * the key after which to continue.
   */
  scan(
    documents: Snapshot,
    afterKey: string | undefined,
    visit: (key: string, document: StoredDocument) => boolean,
    isTimeToRest?: () => boolean,
  ): string | undefined
  /**
   * Whether a list continues after a key: with selectors, even if nothing more matches. Undefined for a user who sees
   * only a part: only another visible match may reveal it.
   */
  goesOn(documents: Snapshot, afterKey: string): boolean | undefined
  /** How many objects match, after a key if given; undefined if this requires testing each object. */
  count(documents: Snapshot, afterKey: string | undefined): number | undefined
}

interface Selectors {
  readonly labelSelector: string
  readonly fieldSelector: string
}

export function parseSelection(
  kind: Kind,
  namespace: string,
  selectors: Selectors,
  visibility: Visibility | undefined,
): ObjectSelection {
  const labels = parseLabelSelector(selectors.labelSelector)
  const fields = parseFieldSelector(kind, selectors.fieldSelector)
  const id = JSON.stringify([namespace, selectors.labelSelector, selectors.fieldSelector, visibility?.id])
  // Only one object can match: nothing after it is scanned.
  const isSingle = fields.name !== undefined && (namespace !== '' || !kind.namespaced)
  return selectionOf({ namespace, labels, fields, visibility, id, isSingle })
}

interface Conditions {
  readonly namespace: string
  readonly labels: LabelSelector
  readonly fields: FieldSelector
  readonly visibility: Visibility | undefined
  readonly id: string
  readonly isSingle: boolean
}

function selectionOf({ namespace, labels, fields, visibility, id, isSingle }: Conditions): ObjectSelection {
  const unselective = labels.matchesEverything && fields.matchesEverything && visibility === undefined
  const matchesSelectors = (document: StoredDocument, read: ReadObject = parsed): boolean =>
    (visibility === undefined || visibility.sees(document)) &&
    (labels.matchesEverything || labels.matches(document.labels ?? {})) &&
    (fields.matchesEverything || matchesFields(fields, document, read))
  const scan: ObjectSelection['scan'] = (documents, afterKey, visit, isTimeToRest = never) => {
    const [low, high] = keyRange(namespace, fields.name)
    const from = afterKey === undefined || afterKey < low ? low : afterKey
    let lastKey: string | undefined
    documents.forRange(from, high, true, (key, document) => {
      if (key === afterKey) return undefined
      if ((unselective || matchesSelectors(document)) && !visit(key, document)) return stop
      if (!isTimeToRest()) return undefined
      lastKey = key
      return stop
    })
    return lastKey
  }
  return {
    id,
    everything: unselective && namespace === '',
    isSelective: !unselective,
    effort: 1 + labels.requirements.length + (fields.matchesEverything ? 0 : fieldEffort),
    matches: (document, read) =>
      (namespace === '' || document.namespace === namespace) && matchesSelectors(document, read),
    among: (cache) => visibleAmong(cache, visibility),
    scan,
    goesOn: (documents, afterKey) => {
      if (visibility !== undefined) return undefined
      return !isSingle && keysAfter(documents, namespace, afterKey, 1) > 0
    },
    count: (documents, afterKey) => {
      if (!unselective) return undefined
      if (afterKey !== undefined) return keysAfter(documents, namespace, afterKey, Number.POSITIVE_INFINITY)
      return namespace === '' ? documents.size : documents.forRange(...keyRange(namespace, undefined), true)
    },
  }
}

/** A field selector may require parsing the object. */
const fieldEffort = 5

const stop = { break: true }
const never = (): boolean => false

/** All keys of a namespace lie between `ns/` and `ns0`: `0` follows the slash. */
function keyRange(namespace: string, exactName: string | undefined): [string, string] {
  if (namespace === '') return ['', '\uffff']
  if (exactName !== undefined) return [`${namespace}/${exactName}`, `${namespace}/${exactName}`]
  return [`${namespace}/`, `${namespace}0`]
}

function keysAfter(documents: Snapshot, namespace: string, afterKey: string, atMost: number): number {
  const [low, high] = keyRange(namespace, undefined)
  let found = 0
  documents.forRange(afterKey < low ? low : afterKey, high, true, (key) => {
    if (key !== afterKey) found += 1
    return found < atMost ? undefined : stop
  })
  return found
}

/** Parses the object only if its name matches the selector. */
function matchesFields(fields: FieldSelector, document: StoredDocument, read: ReadObject): boolean {
  return (fields.name === undefined || fields.name === document.name) && fields.matches(read(document))
}

function parsed(document: StoredDocument): KubeObject {
  return document.object
}

/** The current objects, reduced to those that the user may see if their names are known. */
function visibleAmong(cache: Cache, visibility: Visibility | undefined): Snapshot {
  const names = visibility?.currentNames?.()
  if (names === undefined) return cache.current()
  const documents: Snapshot = sortedMap<StoredDocument>()
  for (const name of names) {
    const document = cache.get({ namespace: '', name })
    if (document !== undefined) documents.set(name, document)
  }
  return documents
}
