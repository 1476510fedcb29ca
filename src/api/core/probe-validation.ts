import { type FieldError, invalidField } from '../field-error.ts'
import type { Container, Probe } from '../types/core-v1.ts'
import { checkNotNegative } from './field-checks.ts'
import { validateHandler } from './handler-validation.ts'

/** Of containers that keep running. */
export function validateProbes(field: string, container: Container): readonly FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container
  return [
    ...(livenessProbe === undefined ? [] : validateDecidingProbe(`${field}.livenessProbe`, livenessProbe)),
    ...(readinessProbe === undefined ? [] : validateReadinessProbe(`${field}.readinessProbe`, readinessProbe)),
    ...(startupProbe === undefined ? [] : validateDecidingProbe(`${field}.startupProbe`, startupProbe)),
  ]
}

function validateProbe(field: string, probe: Probe): readonly FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe
  return [
    ...validateHandler(field, probe),
    ...checkNotNegative(`${field}.initialDelaySeconds`, probe.initialDelaySeconds),
    ...checkNotNegative(`${field}.timeoutSeconds`, probe.timeoutSeconds),
    ...checkNotNegative(`${field}.periodSeconds`, probe.periodSeconds),
    ...checkNotNegative(`${field}.successThreshold`, probe.successThreshold),
    ...checkNotNegative(`${field}.failureThreshold`, probe.failureThreshold),
    ...(grace === undefined || grace > 0
      ? []
      : [invalidField(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]),
  ]
}

/** One success is enough to let a container live. */
function validateDecidingProbe(field: string, probe: Probe): readonly FieldError[] {
  const { successThreshold = 1 } = probe
  return [
    ...validateProbe(field, probe),
    ...(successThreshold === 1 ? [] : [invalidField(`${field}.successThreshold`, successThreshold, 'must be 1')]),
  ]
}

/** It ends no container. */
function validateReadinessProbe(field: string, probe: Probe): readonly FieldError[] {
  const { terminationGracePeriodSeconds: grace } = probe
  const graceField = `${field}.terminationGracePeriodSeconds`
  return [
    ...validateProbe(field, probe),
    ...(grace === undefined ? [] : [invalidField(graceField, grace, 'must not be set for readinessProbes')]),
  ]
}
