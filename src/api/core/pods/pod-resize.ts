import { deepEqual } from '../../../base/equal.ts'
import { type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import type { Container, Pod, ResourceRequirements } from '../../types/core-v1.ts'
import { qosClassOf } from './quality-of-service.ts'
import { writtenManagers } from './written-managers.ts'

const resizable: ReadonlySet<string> = new Set(['cpu', 'memory'])

/** The Pod with the sent resources of its containers, and everything else unchanged. */
export function withResources(sent: Pod, old: Pod): Pod {
  const { containers, initContainers } = old.spec
  return {
    ...old,
    metadata: { ...old.metadata, ...writtenManagers(sent) },
    spec: {
      ...old.spec,
      containers: resourcesFrom(sent.spec.containers ?? [], containers ?? []),
      ...(initContainers && { initContainers: resourcesFrom(sent.spec.initContainers ?? [], initContainers) }),
    },
  }
}

function resourcesFrom(sent: readonly Container[], old: readonly Container[]): readonly Container[] {
  const byName = new Map(sent.map(({ name, resources }) => [name, resources]))
  return old.map((container) => {
    const resources = byName.get(container.name)
    return resources === undefined ? container : { ...container, resources }
  })
}

/** CPU and memory of a running Pod can be increased and decreased, if its QoS class stays the same. */
export function validateResize(after: Pod, before: Pod): readonly FieldError[] {
  const lists = (['containers', 'initContainers'] as const).flatMap((list) =>
    (after.spec[list] ?? []).flatMap((container, index) => {
      const old = before.spec[list]?.[index]
      return old === undefined ? [] : resizeErrors(`spec.${list}[${index}]`, container, old, list === 'containers')
    }),
  )
  const [now, then] = [qosClassOf(after.spec), qosClassOf(before.spec)]
  const sameClass = 'Pod QOS Class may not change as a result of resizing'
  return now === then ? lists : [...lists, invalidField('spec', now, sameClass)]
}

function resizeErrors(field: string, after: Container, before: Container, isMain: boolean): readonly FieldError[] {
  if (deepEqual(after.resources, before.resources)) return []
  const runsOn = isMain || before.restartPolicy === 'Always'
  if (!runsOn) return [forbiddenField(field, 'resources of non-sidecar init containers are immutable')]
  return (['limits', 'requests'] as const).flatMap((part) =>
    amountErrors(`${field}.resources.${part}`, part, after.resources, before.resources),
  )
}

function amountErrors(
  field: string,
  part: 'limits' | 'requests',
  { [part]: after = {} }: ResourceRequirements,
  { [part]: before = {} }: ResourceRequirements,
): readonly FieldError[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...names].flatMap((name) => {
    if (deepEqual(after[name], before[name])) return []
    if (!resizable.has(name)) return [forbiddenField('spec', 'only cpu and memory resources are mutable')]
    return after[name] === undefined ? [forbiddenField(field, `resource ${part} cannot be removed`)] : []
  })
}
