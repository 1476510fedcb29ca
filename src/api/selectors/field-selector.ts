import { badRequest } from '../error.ts'
import { quoted } from '../human/go-syntax.ts'
import type { Kind } from '../kind.ts'
import { validatePathSegment } from '../names.ts'
import type { KubeObject } from '../object.ts'
import { type FieldTerm, parseFieldTerms } from './field-terms.ts'

/** Parsed once, evaluated for every object. */
export interface FieldSelector {
  /** Whether every object matches, so that `matches` need not be called. */
  readonly matchesEverything: boolean
  /** The only name that can match, if there is one: other objects need not be checked. */
  readonly name: string | undefined
  readonly matches: (object: KubeObject) => boolean
}

type Fields = Pick<Kind, 'kind' | 'flavor' | 'namespaced' | 'selectableFields'>
type ReadField = (object: KubeObject) => string

const everyField: FieldSelector = { matchesEverything: true, name: undefined, matches: () => true }

/** Throws the 400 of Kubernetes for an invalid selector, or a field by which this kind cannot be selected. */
export function parseFieldSelector(kind: Fields, text: string): FieldSelector {
  if (text === '') return everyField
  const terms = parseFieldTerms(text)
  if (terms.length === 0) return everyField
  const tests = terms.map((term) => testOf(term, readerOf(kind, term.field)))
  return {
    matchesEverything: false,
    name: requiredName(terms),
    matches: (object) => tests.every((test) => test(object)),
  }
}

/**
 * The one name that a request for a collection selects, so that it can be authorized by name: empty if the selector
 * names none, or is invalid, which is refused later.
 */
export function exactName(fieldSelector: string): string {
  if (!fieldSelector.includes('metadata.name')) return ''
  try {
    const name = requiredName(parseFieldTerms(fieldSelector)) ?? ''
    return validatePathSegment(name).length === 0 ? name : ''
  } catch {
    return ''
  }
}

/** Whether everything that a selector matches has this value in a field. False if it cannot be parsed. */
export function requiresField(fieldSelector: string, field: string, value: string): boolean {
  if (!fieldSelector.includes(field)) return false
  try {
    return parseFieldTerms(fieldSelector).some((term) => term.equal && term.field === field && term.value === value)
  } catch {
    return false
  }
}

function requiredName(terms: readonly FieldTerm[]): string | undefined {
  return terms.find((term) => term.equal && term.field === 'metadata.name')?.value
}

function testOf({ equal, value }: FieldTerm, read: ReadField): (object: KubeObject) => boolean {
  return (object) => (read(object) === value) === equal
}

function readerOf(kind: Fields, field: string): ReadField {
  const { selectableFields = {} } = kind
  if (field === 'metadata.name') return ({ metadata }) => metadata.name ?? ''
  if (field === 'metadata.namespace' && takesNamespace(kind)) return ({ metadata }) => metadata.namespace ?? ''
  const read = Object.hasOwn(selectableFields, field) ? selectableFields[field] : undefined
  if (read === undefined) throw badRequest(unsupportedField(kind, field))
  return read
}

function takesNamespace(kind: Fields): boolean {
  return kind.namespaced || hasOnlyMetadataFields(kind)
}

function hasOnlyMetadataFields(kind: Fields): boolean {
  return kind.flavor === 'builtin' && kind.selectableFields === undefined
}

function unsupportedField(kind: Fields, field: string): string {
  if (hasOnlyMetadataFields(kind)) {
    return `${quoted(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
  }
  const isJob = kind.flavor === 'builtin' && kind.kind === 'Job'
  return isJob ? `field label ${quoted(field)} not supported for Job` : `field label not supported: ${field}`
}
