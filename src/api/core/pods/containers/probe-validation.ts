import { allErrors, type FieldError, invalidField } from '../../../field-error.ts'
import type { Container, Probe } from '../../../types/core-v1.ts'
import { checkNotNegative } from '../../field-checks.ts'
import { validateHandler } from './handler-validation.ts'

/** For containers that keep running. */
export function validateProbes(field: string, container: Container, grace: number | undefined): readonly FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container
  return allErrors(
    livenessProbe === undefined ? [] : validateDecidingProbe(`${field}.livenessProbe`, livenessProbe, grace),
    readinessProbe === undefined ? [] : validateReadinessProbe(`${field}.readinessProbe`, readinessProbe, grace),
    startupProbe === undefined ? [] : validateDecidingProbe(`${field}.startupProbe`, startupProbe, grace),
  )
}

function validateProbe(field: string, probe: Probe, grace: number | undefined): readonly FieldError[] {
  const { terminationGracePeriodSeconds: own } = probe
  return allErrors(
    validateHandler(field, probe, grace),
    checkNotNegative(`${field}.initialDelaySeconds`, probe.initialDelaySeconds),
    checkNotNegative(`${field}.timeoutSeconds`, probe.timeoutSeconds),
    checkNotNegative(`${field}.periodSeconds`, probe.periodSeconds),
    checkNotNegative(`${field}.successThreshold`, probe.successThreshold),
    checkNotNegative(`${field}.failureThreshold`, probe.failureThreshold),
    own === undefined || own > 0
      ? []
      : [invalidField(`${field}.terminationGracePeriodSeconds`, own, 'must be greater than 0')],
  )
}

/** One success must be enough to keep a container alive. */
function validateDecidingProbe(field: string, probe: Probe, grace: number | undefined): readonly FieldError[] {
  const { successThreshold = 1 } = probe
  return allErrors(
    validateProbe(field, probe, grace),
    successThreshold === 1 ? [] : [invalidField(`${field}.successThreshold`, successThreshold, 'must be 1')],
  )
}

/** A readiness probe ends no container. */
function validateReadinessProbe(field: string, probe: Probe, grace: number | undefined): readonly FieldError[] {
  const { terminationGracePeriodSeconds: own } = probe
  const graceField = `${field}.terminationGracePeriodSeconds`
  return allErrors(
    validateProbe(field, probe, grace),
    own === undefined ? [] : [invalidField(graceField, own, 'must not be set for readinessProbes')],
  )
}
