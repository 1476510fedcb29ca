import type { ObjectMeta } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import { Unreadable } from './received-json.ts'

const isText = (value: unknown) => typeof value === 'string'
const isMapOfTexts = (value: unknown) => isJsonObject(value) && Object.values(value).every(isText)
const isListOfTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isListOfObjects = (value: unknown) => Array.isArray(value) && value.every(isJsonObject)

const text = { is: isText, what: 'no text' }
const mapOfTexts = { is: isMapOfTexts, what: 'no map of texts' }

/** What all code may rely on. Other fields of an object are read as what another server sent. */
const forms = Object.entries({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  creationTimestamp: text,
  deletionTimestamp: text,
  labels: mapOfTexts,
  annotations: mapOfTexts,
  finalizers: { is: isListOfTexts, what: 'no list of texts' },
  ownerReferences: { is: isListOfObjects, what: 'no list of objects' },
  managedFields: { is: isListOfObjects, what: 'no list of objects' },
})

/** Members that are null count as absent. Throws Unreadable for any that is not what Kubernetes has there. */
export function knownMetadata(metadata: Readonly<Record<string, unknown>>): ObjectMeta {
  let known = metadata
  for (const [field, { is, what }] of forms) {
    const value = metadata[field]
    if (value === undefined || is(value)) continue
    if (value !== null) throw new Unreadable('the answer', `has metadata whose ${field} is ${what}`)
    const { [field]: _, ...rest } = known
    known = rest
  }
  return known as ObjectMeta
}
