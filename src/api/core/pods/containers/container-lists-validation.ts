import {
  allErrors,
  duplicateField,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  notSupportedField,
  requiredField,
} from '../../../field-error.ts'
import type { Container, PodSpec } from '../../../types/core-v1.ts'
import { repeated } from '../../repeated.ts'
import { isSidecar } from '../sidecar.ts'
import { type ContainerSurroundings, validateContainer, validateHostPorts } from './container-validation.ts'
import { validateLifecycle } from './handler-validation.ts'
import { validateProbes } from './probe-validation.ts'

export function validateContainers(
  list: string,
  containers: readonly Container[],
  surroundings: ContainerSurroundings,
): readonly FieldError[] {
  if (containers.length === 0) return [requiredField(list)]
  const isTaken = repeated(containers.map(({ name }) => name))
  const errors = errorsOfEach(containers, (container, index) => {
    const field = `${list}[${index}]`
    return allErrors(
      validateContainer(field, container, surroundings),
      isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : [],
      validateLasting(field, container, surroundings),
      container.restartPolicy === undefined
        ? []
        : [forbiddenField(`${field}.restartPolicy`, 'may not be set for non-init containers')],
    )
  })
  return allErrors(errors, validateHostPorts(list, containers))
}

export function validateInitContainers(
  list: string,
  spec: PodSpec,
  surroundings: ContainerSurroundings,
): readonly FieldError[] {
  const taken = new Set((spec.containers ?? []).map(({ name }) => name))
  return errorsOfEach(spec.initContainers ?? [], (container, index) => {
    const field = `${list}[${index}]`
    const { name, restartPolicy } = container
    const isTaken = taken.has(name)
    if (name !== '') taken.add(name)
    return allErrors(
      validateContainer(field, container, surroundings),
      restartPolicy === undefined || isSidecar(container)
        ? []
        : [notSupportedField(`${field}.restartPolicy`, restartPolicy, ['Always'])],
      isTaken ? [duplicateField(`${field}.name`, name)] : [],
      validateHostPorts(list, [container]),
      isSidecar(container) ? validateLasting(field, container, surroundings) : validateRunsOnce(field, container),
    )
  })
}

/** Fields that only containers that keep running have. */
function validateLasting(field: string, container: Container, { gracePeriodSeconds }: ContainerSurroundings) {
  const { lifecycle } = container
  return allErrors(
    lifecycle === undefined ? [] : validateLifecycle(`${field}.lifecycle`, lifecycle, gracePeriodSeconds),
    validateProbes(field, container, gracePeriodSeconds),
  )
}

function validateRunsOnce(field: string, container: Container): readonly FieldError[] {
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    .filter((member) => container[member] !== undefined)
    .map((member) =>
      forbiddenField(`${field}.${member}`, 'may not be set for init containers without restartPolicy=Always'),
    )
}
