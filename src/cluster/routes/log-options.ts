import { parseTime } from '../../api/decode/time.ts'
import { badRequest, invalid } from '../../api/error.ts'
import { type FieldError, forbiddenField, invalidField } from '../../api/field-error.ts'
import type { Query } from '../../server/request/query.ts'

const logOptions = { group: '', kind: 'PodLogOptions' }

/** Validates the requested range of a log. Throws what kube-apiserver refuses before it asks a kubelet. */
export function requireLogOptions(pod: string, query: Query): void {
  const tail = integerIn(query, 'tailLines')
  const bytes = integerIn(query, 'limitBytes')
  const seconds = integerIn(query, 'sinceSeconds')
  requireTime(query.get('sinceTime') ?? '')
  const errors: readonly FieldError[] = [
    ...(tail !== undefined && tail < 0 ? [invalidField('tailLines', tail, 'must be greater than or equal to 0')] : []),
    ...atLeastOne('limitBytes', bytes),
    ...(seconds !== undefined && isGiven(query, 'sinceTime')
      ? [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : atLeastOne('sinceSeconds', seconds)),
    ...(isGiven(query, 'stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ]
  if (errors.length > 0) throw invalid(logOptions, pod, errors)
}

function requireTime(text: string): void {
  const time = text === '' ? undefined : parseTime(text)
  if (time?.valid === false) throw badRequest(time.reason)
}

function isGiven(query: Query, name: string): boolean {
  return (query.get(name) ?? '') !== ''
}

function atLeastOne(field: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && value < 1 ? [invalidField(field, value, 'must be greater than 0')] : []
}

function integerIn(query: Query, name: string): number | undefined {
  const text = query.get(name) ?? ''
  if (text === '') return undefined
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text)
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
}
