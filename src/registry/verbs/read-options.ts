import { badRequest, invalid } from '../../api/error.ts'
import { type FieldError, forbiddenField, notSupportedField } from '../../api/field-error.ts'
import { shortened } from '../../api/human/shortened.ts'
import type { Kind } from '../../api/kind.ts'
import { parseFieldSelector } from '../../api/selectors/field-selector.ts'
import { parseFieldTerms } from '../../api/selectors/field-terms.ts'
import { parseLabelSelector } from '../../api/selectors/label-selector.ts'
import type { ListRequestOptions, WatchOptions } from '../contract.ts'

const listOptions = { kind: 'ListOptions', group: 'meta.k8s.io' }
const match = 'resourceVersionMatch'

/** Selectors are parsed first. Whether the kind has the fields that they name is checked last. */
export function checkListOptions(kind: Kind, options: Omit<ListRequestOptions, 'user' | 'signal'>): void {
  parseLabelSelector(options.labelSelector)
  parseFieldTerms(options.fieldSelector)
  const errors = [...matchErrors(options)]
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  if (errors.length > 0) throw invalid(listOptions, '', errors)
  parseFieldSelector(kind, options.fieldSelector)
}

function matchErrors({
  resourceVersionMatch,
  resourceVersion,
  ...options
}: Omit<ListRequestOptions, 'user' | 'signal'>): readonly FieldError[] {
  if (resourceVersionMatch === '') return []
  const isKnown = resourceVersionMatch === 'Exact' || resourceVersionMatch === 'NotOlderThan'
  const problems: readonly (readonly [boolean, FieldError])[] = [
    [
      resourceVersion === '',
      forbiddenField(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    ],
    [options.continue !== '', forbiddenField(match, 'resourceVersionMatch is forbidden when continue is provided')],
    [!isKnown, notSupportedField(match, resourceVersionMatch, ['Exact', 'NotOlderThan', ''])],
    [
      resourceVersionMatch === 'Exact' && resourceVersion === '0',
      forbiddenField(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    ],
  ]
  return problems.filter(([holds]) => holds).map(([, error]) => error)
}

export function checkWatchOptions({ resourceVersionMatch, sendInitialEvents }: WatchOptions): void {
  const errors: FieldError[] = []
  if (sendInitialEvents === undefined && resourceVersionMatch !== '') {
    errors.push(
      forbiddenField(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    )
  }
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(forbiddenField(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  }
  if (resourceVersionMatch !== '' && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(notSupportedField(match, resourceVersionMatch, ['NotOlderThan']))
  }
  if (errors.length > 0) throw invalid(listOptions, '', errors)
}

/** An empty text means the most recent state, as undefined. `where` precedes the problem. */
export function parseResourceVersion(text: string, where = ''): number | undefined {
  if (text === '') return undefined
  const place = `${where}resourceVersion: Invalid value: ${JSON.stringify(shortened(text))}: `
  return unsigned(text, place)
}

/** The revision that a writer claims to have read; 0 if it names none. */
export function sentRevision(text: string): number {
  return text === '' ? 0 : unsigned(text, '')
}

const digits = /^[0-9]+$/

function unsigned(text: string, where: string): number {
  const number = Number(text)
  if (digits.test(text) && Number.isSafeInteger(number)) return number
  const problem = digits.test(text) ? 'value out of range' : 'invalid syntax'
  throw badRequest(`${where}strconv.ParseUint: parsing ${JSON.stringify(shortened(text))}: ${problem}`)
}
