import { deepEqual } from '../../../base/equal.ts'
import { allErrors, duplicateField, type FieldError, forbiddenField, notFoundField } from '../../field-error.ts'
import type { EphemeralContainer, Pod, PodSpec } from '../../types/core-v1.ts'
import { repeated } from '../repeated.ts'
import { type ContainerSurroundings, validateContainer, validateImage } from './containers/container-validation.ts'
import { isStaticPod, validateAnnotationChange } from './pod-annotations.ts'

/** Fields that belong to containers that are meant to stay. */
const foreign = [
  ...(['ports', 'resources', 'resizePolicy', 'restartPolicy', 'livenessProbe', 'readinessProbe'] as const),
  ...(['startupProbe', 'lifecycle'] as const),
]

const unfit = 'cannot be set for an Ephemeral Container'

export function validateEphemeralContainers(
  list: string,
  spec: PodSpec,
  surroundings: ContainerSurroundings,
): readonly FieldError[] {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name)
  const targets = new Set(others)
  const containers = spec.ephemeralContainers ?? []
  const isTaken = repeated([...others, ...containers.map(({ name }) => name)]).slice(others.length)
  return containers.flatMap((container, index) => {
    const field = `${list}[${index}]`
    const { targetContainerName: target = '' } = container
    return allErrors(
      validateContainer(field, container, surroundings),
      validateImage(`${field}.image`, container.image),
      isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : [],
      target === '' || targets.has(target) ? [] : [notFoundField(`${field}.targetContainerName`, target)],
      foreign
        .filter((member) => isGiven(container, member))
        .map((member) => forbiddenField(`${field}.${member}`, unfit)),
      validateSubPaths(`${field}.volumeMounts`, container),
    )
  })
}

function isGiven(container: EphemeralContainer, member: (typeof foreign)[number]): boolean {
  return member === 'resources' ? !deepEqual(container.resources, {}) : container[member] !== undefined
}

/** Subpaths stay mounted until the pod ends, which is too long for these. */
function validateSubPaths(list: string, { volumeMounts = [] }: EphemeralContainer): readonly FieldError[] {
  return volumeMounts.flatMap(({ subPath = '', subPathExpr = '' }, index) =>
    allErrors(
      subPath === '' ? [] : [forbiddenField(`${list}[${index}].subPath`, unfit)],
      subPathExpr === '' ? [] : [forbiddenField(`${list}[${index}].subPathExpr`, unfit)],
    ),
  )
}

/** Ephemeral containers can only be added. */
export function validateEphemeralUpdate(after: Pod, before: Pod): readonly FieldError[] {
  if (isStaticPod(before)) return [forbiddenField('', 'static pods do not support ephemeral containers')]
  const field = 'spec.ephemeralContainers'
  const now = new Map((after.spec.ephemeralContainers ?? []).map((container) => [container.name, container]))
  const errors = (before.spec.ephemeralContainers ?? []).flatMap((container) => {
    const kept = now.get(container.name)
    const name = `existing ephemeral containers "${container.name}"`
    if (kept === undefined) return [forbiddenField(field, `${name} may not be removed\n`)]
    return deepEqual(kept, container) ? [] : [forbiddenField(field, `${name} may not be changed`)]
  })
  return allErrors(validateAnnotationChange(after, before), errors)
}
