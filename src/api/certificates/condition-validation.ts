import { deepEqual } from '../../base/equal.ts'
import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../types/certificates-v1.ts'

const field = 'status.conditions'
const decisions = ['Approved', 'Denied']
/** Conditions that cannot be revoked. */
const final = [...decisions, 'Failed']
const statuses = ['False', 'True', 'Unknown']

/** A write to `/approval`, by a caller that may approve. */
export function validateApproval(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly FieldError[] {
  return [...validateConditions(object, old), ...validateKept(object, old)]
}

/** A write to `/status`, by a signer: it changes neither the decision nor an existing certificate. */
export function validateSigned(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly FieldError[] {
  const { certificate = '' } = old.status
  return [
    ...validateConditions(object, old),
    ...validateKept(object, old),
    ...decisions.flatMap((type) => validateUndecided(type, object, old)),
    ...(certificate !== '' && certificate !== object.status.certificate
      ? [forbiddenField('status.certificate', 'updates may not modify existing certificate content')]
      : []),
  ]
}

function validateKept(object: CertificateSigningRequest, old: CertificateSigningRequest): readonly FieldError[] {
  return final
    .filter((type) => ofType(type, object).length < ofType(type, old).length)
    .map((type) => forbiddenField(field, `updates may not remove a condition of type ${JSON.stringify(type)}`))
}

function validateUndecided(
  type: string,
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly FieldError[] {
  const [now, before] = [ofType(type, object), ofType(type, old)]
  if (now.length < before.length || deepEqual(now, before)) return []
  const verb = now.length > before.length ? 'add' : 'modify'
  return [forbiddenField(field, `updates may not ${verb} a condition of type ${JSON.stringify(type)}`)]
}

/** Unchanged conditions are not validated again. */
function validateConditions(object: CertificateSigningRequest, old: CertificateSigningRequest): readonly FieldError[] {
  const conditions = object.status.conditions ?? []
  if (deepEqual(conditions, old.status.conditions ?? [])) return []
  const types = conditions.map(({ type }) => type)
  const isRepeated = repeated(types)
  const isContradiction = contradictions(types)
  return conditions.flatMap((condition, index) => [
    ...validateCondition(`${field}[${index}]`, condition),
    ...(isContradiction[index]
      ? [
          invalidField(
            `${field}[${index}].type`,
            condition.type,
            'Approved and Denied conditions are mutually exclusive',
          ),
        ]
      : []),
    ...(isRepeated[index] ? [duplicateField(`${field}[${index}].type`, condition.type)] : []),
  ])
}

function validateCondition(at: string, { type, status }: CertificateSigningRequestCondition): readonly FieldError[] {
  const supported = final.includes(type) ? ['True'] : statuses
  return [
    ...(type === '' ? [requiredField(`${at}.type`)] : []),
    ...(status === '' ? [requiredField(`${at}.status`)] : []),
    ...(status === '' || supported.includes(status) ? [] : [notSupportedField(`${at}.status`, status, supported)]),
  ]
}

/** For each of them, whether another decision precedes it. There may be thousands. */
function contradictions(types: readonly string[]): readonly boolean[] {
  const before = new Set<string>()
  return types.map((type) => {
    const isDecision = decisions.includes(type)
    if (isDecision) before.add(type)
    return isDecision && before.size > 1
  })
}

function ofType(wanted: string, { status }: CertificateSigningRequest): readonly CertificateSigningRequestCondition[] {
  return (status.conditions ?? []).filter(({ type }) => type === wanted)
}
