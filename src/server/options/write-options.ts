import { invalid } from '../../api/error.ts'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../../api/field-error.ts'
import { goBoolean } from '../request/go-values.ts'
import type { Query } from '../request/query.ts'

export interface WriteParameters {
  /** As requested, or empty. */
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly dryRun: boolean
}

const maxManagerBytes = 128

export function createOptions(query: Query): WriteParameters {
  return writeOptions('CreateOptions', query, [])
}

export function updateOptions(query: Query): WriteParameters {
  return writeOptions('UpdateOptions', query, [])
}

export interface PatchOptions extends WriteParameters {
  readonly force: boolean
}

export function patchOptions(query: Query, isApply: boolean): PatchOptions {
  const force = query.get('force')
  const errors: FieldError[] = []
  if (!isApply && force !== undefined) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  if (isApply && (query.get('fieldManager') ?? '') === '') {
    errors.push(requiredField('fieldManager', 'is required for apply patch'))
  }
  return { ...writeOptions('PatchOptions', query, errors), force: goBoolean(force) }
}

function writeOptions(kind: string, query: Query, before: readonly FieldError[]): WriteParameters {
  const fieldManager = query.get('fieldManager') ?? ''
  const dryRun = query.all('dryRun')
  const fieldValidation = query.get('fieldValidation') ?? ''
  const errors = [
    ...before,
    ...managerErrors(fieldManager),
    ...dryRunErrors(dryRun),
    ...(isFieldValidation(fieldValidation) ? [] : [unsupportedValidation(fieldValidation)]),
  ]
  if (errors.length > 0) throw invalid({ kind, group: 'meta.k8s.io' }, '', errors)
  return {
    fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) && fieldValidation !== '' ? fieldValidation : 'Warn',
    dryRun: dryRun.length > 0,
  }
}

export function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return []
  const shown = `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`
  const message = `Unsupported value: ${shown}: supported values: "All"`
  return [{ reason: 'FieldValueNotSupported', field: 'dryRun', message }]
}

function isFieldValidation(value: string): value is '' | 'Ignore' | 'Warn' | 'Strict' {
  return value === '' || value === 'Ignore' || value === 'Warn' || value === 'Strict'
}

function unsupportedValidation(value: string): FieldError {
  return notSupportedField('fieldValidation', value, ['', 'Ignore', 'Strict', 'Warn'])
}

function managerErrors(manager: string): readonly FieldError[] {
  const tooLong = Buffer.byteLength(manager) > maxManagerBytes ? [tooLongField('fieldManager', maxManagerBytes)] : []
  return [...tooLong, ...unprintableErrors(manager)]
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

function unprintableErrors(manager: string): readonly FieldError[] {
  const found = unprintable.exec(manager)
  if (found === null) return []
  const code = found[0].codePointAt(0) ?? 0
  const position = Buffer.byteLength(manager.slice(0, found.index))
  const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return [invalidField('fieldManager', manager, `invalid character ${shown} (at position ${position})`)]
}

/** The field manager if the request names none: the program that sent it. */
export function managerFromUserAgent(userAgent = ''): string {
  const slash = userAgent.indexOf('/')
  const program = slash < 0 ? userAgent : userAgent.slice(0, slash)
  return ordinaryProgram.test(program) ? program : printableProgram(program)
}

/** Matches nearly all programs, which need no cleaning or cutting. */
const ordinaryProgram = /^[A-Za-z0-9._-]{1,128}$/

function printableProgram(program: string): string {
  let manager = ''
  for (const character of program) {
    if (unprintable.test(character)) continue
    if (Buffer.byteLength(manager) + Buffer.byteLength(character) > maxManagerBytes) break
    manager += character
  }
  return manager === '' ? 'unknown' : manager
}
