import { badRequest, invalid } from '../../api/error.ts'
import { type FieldError, forbiddenField, notSupportedField } from '../../api/field-error.ts'
import type { ListRequestOptions, WatchOptions } from '../contract.ts'

const listOptions = { kind: 'ListOptions', group: 'meta.k8s.io' }
const match = 'resourceVersionMatch'

export function checkListOptions(options: ListRequestOptions): void {
  const errors: FieldError[] = []
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  errors.push(...matchErrors(options))
  if (errors.length > 0) throw invalid(listOptions, '', errors)
}

function matchErrors({ resourceVersionMatch, resourceVersion, ...options }: ListRequestOptions): readonly FieldError[] {
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

const decimal = /^(0|[1-9][0-9]{0,18})$/

/** Empty is undefined: the most recent state. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '') return undefined
  const revision = Number(text)
  if (decimal.test(text) && Number.isSafeInteger(revision)) return revision
  throw badRequest(`invalid resource version ${JSON.stringify(text)}: it must be a whole number as given by the server`)
}
