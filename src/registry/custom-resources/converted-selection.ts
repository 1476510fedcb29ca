import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { parseFieldSelector } from '../../api/selectors/field-selector.ts'
import { parseFieldTerms } from '../../api/selectors/field-terms.ts'
import type { Document, WatchEvent } from '../contract.ts'
import { convertedDocument, convertedEvent } from './converted-document.ts'

/** A field selector of a version that is converted when it is read. */
export interface ConvertedSelection {
  /** What can be selected before the conversion. */
  readonly stored: string
  /** What can be selected only after it, by a field of this version. Absent: nothing. */
  readonly matches?: (object: KubeObject) => boolean
}

/** Throws the 400 of Kubernetes for a field that this version does not let clients select by. */
export function convertedSelection(kind: Kind, fieldSelector: string): ConvertedSelection {
  const { matches } = parseFieldSelector(kind, fieldSelector)
  const isAlike = parseFieldTerms(fieldSelector).every(({ field }) => field.startsWith('metadata.'))
  return isAlike ? { stored: fieldSelector } : { stored: '', matches }
}

type ObjectEvent = Extract<WatchEvent, { readonly document: Document }>

/**
 * The event of a watch that selects objects after their conversion: an object that begins to match is new to it, and
 * one that no longer does is gone. `document` and `previous` are converted. Undefined: the watch does not show it.
 */
export function selectedEvent(
  type: ObjectEvent['type'],
  document: Document,
  previous: Document | undefined,
  matches: (object: KubeObject) => boolean,
): WatchEvent | undefined {
  const isShown = matches(document.object)
  if (type !== 'MODIFIED') return isShown ? convertedEvent(type, document) : undefined
  const wasShown = previous !== undefined && matches(previous.object)
  if (isShown) return convertedEvent(wasShown ? 'MODIFIED' : 'ADDED', document)
  return wasShown ? convertedEvent('DELETED', lastShown(previous, document)) : undefined
}

/** With its old content, and the revision at which it left. */
function lastShown({ object }: Document, document: Document): Document {
  const { resourceVersion } = document
  return convertedDocument({ ...object, metadata: { ...object.metadata, resourceVersion } }, document)
}
