import { deepEqual } from '../../base/equal.ts'
import { duplicateField, type FieldError, forbiddenField, notFoundField } from '../field-error.ts'
import type { EphemeralContainer, Pod, PodSpec } from '../types/core-v1.ts'
import { validateContainer } from './container-validation.ts'
import { repeated } from './repeated.ts'

/** What belongs to containers that are meant to stay. */
const foreign = [
  ...(['ports', 'resources', 'resizePolicy', 'restartPolicy', 'livenessProbe', 'readinessProbe'] as const),
  ...(['startupProbe', 'lifecycle'] as const),
]

export function validateEphemeralContainers(
  list: string,
  spec: PodSpec,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name)
  const containers = spec.ephemeralContainers ?? []
  const isTaken = repeated([...others, ...containers.map(({ name }) => name)]).slice(others.length)
  return containers.flatMap((container, index) => {
    const field = `${list}[${index}]`
    const { targetContainerName: target = '' } = container
    return [
      ...validateContainer(field, { ...container, resources: {} }, volumes),
      ...(isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : []),
      ...(target === '' || others.includes(target) ? [] : [notFoundField(`${field}.targetContainerName`, target)]),
      ...foreign
        .filter((member) => isGiven(container, member))
        .map((member) => forbiddenField(`${field}.${member}`, 'cannot be set for an Ephemeral Container')),
    ]
  })
}

function isGiven(container: EphemeralContainer, member: (typeof foreign)[number]): boolean {
  return member === 'resources' ? !deepEqual(container.resources, {}) : container[member] !== undefined
}

/** Containers for debugging are only ever added. */
export function validateEphemeralUpdate(after: Pod, before: Pod): readonly FieldError[] {
  const field = 'spec.ephemeralContainers'
  const now = new Map((after.spec.ephemeralContainers ?? []).map((container) => [container.name, container]))
  return (before.spec.ephemeralContainers ?? []).flatMap((container) => {
    const kept = now.get(container.name)
    const name = `existing ephemeral containers "${container.name}"`
    if (kept === undefined) return [forbiddenField(field, `${name} may not be removed\n`)]
    return deepEqual(kept, container) ? [] : [forbiddenField(field, `${name} may not be changed`)]
  })
}
