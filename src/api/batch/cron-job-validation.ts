import { checkNotNegative, checkOneOf } from '../core/field-checks.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { CronJob, JobTemplateSpec } from '../types/batch-v1.ts'
import { cronProblem } from './cron-schedule.ts'
import { validateJobSpec } from './job-spec-validation.ts'

const maxNameLength = 52
const zonePart = /^[A-Za-z._+\-0-9]+$/

export function validateCronJob({ metadata, spec }: CronJob): readonly FieldError[] {
  const { name = '' } = metadata
  const isNew = metadata.resourceVersion === undefined
  return [
    ...validateSchedule('spec.schedule', spec.schedule),
    ...checkNotNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(isNew ? validateZone('spec.timeZone', spec.timeZone) : []),
    ...checkOneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...validateJobTemplate('spec.jobTemplate', spec.jobTemplate),
    ...checkNotNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...checkNotNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...(isNew && name.length > maxNameLength
      ? [invalidField('metadata.name', name, `must be no more than ${maxNameLength} characters`)]
      : []),
  ]
}

export function validateCronJobUpdate(after: CronJob, before: CronJob): readonly FieldError[] {
  return after.spec.timeZone === before.spec.timeZone ? [] : validateZone('spec.timeZone', after.spec.timeZone)
}

function validateSchedule(field: string, schedule: string): readonly FieldError[] {
  if (schedule === '') return [requiredField(field)]
  const problem = cronProblem(schedule)
  return [
    ...(problem === undefined ? [] : [invalidField(field, schedule, problem)]),
    ...(schedule.includes('TZ')
      ? [invalidField(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
      : []),
  ]
}

function validateZone(field: string, zone: string | undefined): readonly FieldError[] {
  if (zone === undefined) return []
  if (zone === '') return [invalidField(field, zone, 'timeZone must be nil or non-empty string')]
  const unknown = invalidField(field, zone, `unknown time zone ${zone}`)
  const isOdd = (part: string) => part === '.' || part === '..' || part.startsWith('-') || !zonePart.test(part)
  if (zone.split('/').some(isOdd)) return [unknown]
  return [
    ...(zone.toLowerCase() === 'local'
      ? [
          invalidField(
            field,
            zone,
            'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
          ),
        ]
      : []),
    ...(isZone(zone) ? [] : [unknown]),
  ]
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function validateJobTemplate(field: string, { spec }: JobTemplateSpec): readonly FieldError[] {
  return [
    ...validateJobSpec(`${field}.spec`, spec),
    ...(spec.selector === undefined
      ? []
      : [invalidField(`${field}.spec.selector`, spec.selector, '`selector` will be auto-generated')]),
    ...(spec.manualSelector === true
      ? [notSupportedField(`${field}.spec.manualSelector`, true, ['nil', 'false'])]
      : []),
  ]
}
