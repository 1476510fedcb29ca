import type { ParsedBody } from '../../api/decode/contract.ts'
import { badRequest, invalid } from '../../api/error.ts'
import { type FieldError, invalidField, notSupportedField } from '../../api/field-error.ts'
import type { DeletionPolicy } from '../../registry/contract.ts'
import { goBoolean, goInteger } from '../request/go-values.ts'
import type { Query } from '../request/query.ts'
import { dryRunErrors } from './write-options.ts'

/** Options before the policy is checked. */
interface Asked {
  readonly gracePeriodSeconds?: number | undefined
  readonly propagationPolicy?: string | undefined
  readonly orphanDependents?: boolean | undefined
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined
  readonly dryRun: readonly string[]
}

/** A body replaces the query completely, including a dry run. */
export function deleteOptions(query: Query, body: ParsedBody | undefined): DeletionPolicy {
  return checked(body === undefined ? fromQuery(query) : fromBody(body.value))
}

/** For options inside another object. */
export function parseDeleteOptions(value: unknown): DeletionPolicy {
  return checked(fromBody(value))
}

function fromQuery(query: Query): Asked {
  const orphan = query.get('orphanDependents')
  return {
    gracePeriodSeconds: goInteger(query.get('gracePeriodSeconds')),
    propagationPolicy: query.get('propagationPolicy'),
    orphanDependents: orphan === undefined ? undefined : goBoolean(orphan),
    preconditions: preconditionsIn(query),
    dryRun: query.all('dryRun'),
  }
}

/** An empty parameter is none. */
function preconditionsIn(query: Query): Asked['preconditions'] {
  const uid = query.get('uid') ?? ''
  const resourceVersion = query.get('resourceVersion') ?? ''
  if (uid === '' && resourceVersion === '') return undefined
  return { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) }
}

function fromBody(value: unknown): Asked {
  const options = members(value, '')
  if (options.get('kind') !== undefined && options.get('kind') !== 'DeleteOptions') {
    throw badRequest('decoded object cannot be converted to DeleteOptions')
  }
  const preconditions = options.get('preconditions')
  return {
    gracePeriodSeconds: integer(options.get('gracePeriodSeconds'), 'gracePeriodSeconds'),
    propagationPolicy: text(options.get('propagationPolicy'), 'propagationPolicy'),
    orphanDependents: flag(options.get('orphanDependents'), 'orphanDependents'),
    preconditions: preconditions === undefined || preconditions === null ? undefined : preconditionsOf(preconditions),
    dryRun: texts(options.get('dryRun'), 'dryRun'),
  }
}

function preconditionsOf(value: unknown): { readonly uid?: string; readonly resourceVersion?: string } {
  const given = members(value, 'preconditions')
  const uid = text(given.get('uid'), 'preconditions.uid')
  const resourceVersion = text(given.get('resourceVersion'), 'preconditions.resourceVersion')
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) }
}

function checked(asked: Asked): DeletionPolicy {
  const errors = [...policyErrors(asked), ...dryRunErrors(asked.dryRun)]
  if (errors.length > 0) throw invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io' }, '', errors)
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = asked
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(isPolicy(propagationPolicy) ? { propagationPolicy } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(preconditions === undefined ? {} : { preconditions }),
    dryRun: asked.dryRun.length > 0,
  }
}

function policyErrors({ propagationPolicy: policy, orphanDependents }: Asked): readonly FieldError[] {
  const field = 'propagationPolicy'
  const errors: FieldError[] = []
  if (policy === undefined) return errors
  if (orphanDependents !== undefined) {
    errors.push(invalidField(field, policy, 'orphanDependents and deletionPropagation cannot be both set'))
  }
  if (!isPolicy(policy)) errors.push(notSupportedField(field, policy, ['Foreground', 'Background', 'Orphan', 'nil']))
  return errors
}

function isPolicy(value: string | undefined): value is 'Foreground' | 'Background' | 'Orphan' {
  return value === 'Foreground' || value === 'Background' || value === 'Orphan'
}

function members(value: unknown, field: string): ReadonlyMap<string, unknown> {
  if (value === null) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, field, 'v1.DeleteOptions')
  return new Map(Object.entries(value))
}

function integer(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(value, field, 'int64')
  return value
}

function text(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw wrongType(value, field, 'string')
  return value
}

function flag(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw wrongType(value, field, 'bool')
  return value
}

function texts(value: unknown, field: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrongType(value, field, '[]string')
  return value.map((each) => text(each, field) ?? '')
}

function wrongType(value: unknown, field: string, expected: string) {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  const where = field === '' ? '' : ` struct field DeleteOptions.${field}`
  return badRequest(
    `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal ${found} into Go${where === '' ? ' value' : where} of type ${expected}`,
  )
}
