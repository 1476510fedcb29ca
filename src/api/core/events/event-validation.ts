import { deepEqual } from '../../../base/equal.ts'
import { allErrors, type FieldError, invalidField, invalidFieldAs, requiredField } from '../../field-error.ts'
import { goSyntax, goTime } from '../../human/go-syntax.ts'
import type { Event } from '../../types/core-v1.ts'
import { checkQualifiedName, checkSubdomain } from '../field-checks.ts'

const maxNameCharacters = 128
const maxNoteCharacters = 1024

/** Rules for events of both groups, which name the reporting controller differently. */
export function validateEvent(
  event: Event,
  controllerField: 'reportingComponent' | 'reportingController',
): readonly FieldError[] {
  return allErrors(
    event.eventTime === null ? validateOldStyle(event) : validateNewStyle(event, controllerField),
    checkSubdomain('namespace', event.metadata.namespace ?? ''),
  )
}

/** New events written through `events.k8s.io/v1` may not use fields that only the old style has. */
export function validateStrictEvent(event: Event): readonly FieldError[] {
  const isTyped = event.type === 'Normal' || event.type === 'Warning'
  const mustBeUnset: readonly [string, boolean][] = [
    ['firstTimestamp', event.firstTimestamp !== null],
    ['lastTimestamp', event.lastTimestamp !== null],
    ['count', event.count !== undefined],
    ['source', event.source.component !== undefined || event.source.host !== undefined],
  ]
  return allErrors(
    validateSeries(event),
    event.eventTime === null ? [requiredField('eventTime')] : [],
    isTyped ? [] : [invalidField('type', '', `has invalid value: ${event.type ?? ''}`)],
    mustBeUnset.filter(([, isSet]) => isSet).map(([field]) => invalidField(field, '', 'needs to be unset')),
  )
}

/** The reason is compared twice, as in Kubernetes. */
const immutableFields = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const

/** Through `events.k8s.io/v1` only the series of an event can change. */
export function validateStrictEventUpdate(after: Event, before: Event): readonly FieldError[] {
  return allErrors(
    deepEqual(after.series, before.series) ? [] : validateSeries(after),
    immutableFields
      .filter((field) => !deepEqual(after[field], before[field]))
      .map((field) => invalidFieldAs(field, printedMember(after, field), 'field is immutable')),
    after.reportingComponent === before.reportingComponent
      ? []
      : [invalidField('reportingController', after.reportingComponent, 'field is immutable')],
    after.reportingInstance === before.reportingInstance
      ? []
      : [invalidField('reportingInstance', after.reportingInstance, 'field is immutable')],
  )
}

const times: ReadonlySet<string> = new Set(['firstTimestamp', 'lastTimestamp', 'eventTime'])

function printedMember(event: Event, field: (typeof immutableFields)[number]): string {
  const value = event[field] ?? ''
  return times.has(field) && typeof value === 'string' && value !== '' ? goTime(value) : goSyntax(value)
}

/** An event is in the namespace of the object that it is about; those of cluster-scoped objects are in `default`. */
function validateOldStyle({ metadata, involvedObject }: Event): readonly FieldError[] {
  const namespace = metadata.namespace ?? ''
  const about = involvedObject.namespace ?? ''
  const agrees = about === '' ? namespace === '' || namespace === 'default' : namespace === about
  return agrees ? [] : [namespaceMismatch(about)]
}

function validateNewStyle(event: Event, controllerField: string): readonly FieldError[] {
  const namespace = event.metadata.namespace ?? ''
  const about = event.involvedObject.namespace ?? ''
  const agrees = about !== '' || namespace === 'default' || namespace === 'kube-system'
  return allErrors(
    agrees ? [] : [namespaceMismatch(about)],
    event.reportingComponent === '' ? [requiredField(controllerField)] : [],
    checkQualifiedName(controllerField, event.reportingComponent),
    requiredWithin('reportingInstance', event.reportingInstance, maxNameCharacters),
    requiredWithin('action', event.action ?? '', maxNameCharacters),
    requiredWithin('reason', event.reason ?? '', maxNameCharacters),
    within('message', event.message ?? '', maxNoteCharacters),
  )
}

function validateSeries({ series }: Event): readonly FieldError[] {
  if (series === undefined) return []
  return allErrors(
    (series.count ?? 0) < 2 ? [invalidField('series.count', '', 'should be at least 2')] : [],
    series.lastObservedTime === null ? [requiredField('series.lastObservedTime')] : [],
  )
}

function requiredWithin(field: string, value: string, max: number): readonly FieldError[] {
  return value === '' ? [requiredField(field)] : within(field, value, max)
}

function within(field: string, value: string, max: number): readonly FieldError[] {
  return value.length > max ? [invalidField(field, '', `can have at most ${max} characters`)] : []
}

function namespaceMismatch(namespace: string): FieldError {
  return invalidField('involvedObject.namespace', namespace, 'does not match event.namespace')
}
