import { deepEqual } from '../../base/equal.ts'
import { duplicateField, type FieldError, forbiddenField, invalidField, tooManyField } from '../field-error.ts'
import { validateLabelValue } from '../names.ts'
import type { Node, Taint } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { checkCIDR, checkOneOf, checkQualifiedName } from './field-checks.ts'
import { nodeColumns } from './node-columns.ts'
import { repeated } from './repeated.ts'
import { taintEffects } from './toleration-validation.ts'

export const node = builtinKind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  hasStatus: true,
  keepsStatusOnCreate: true,
  message: 'k8s.io.api.core.v1.Node',
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  columns: nodeColumns,
  strategy: { defaults: withAllocatable, validate: validateNode, validateUpdate: validateNodeUpdate },
})

/** All of a node can be used unless it says otherwise. */
function withAllocatable(object: Node): Node {
  const { capacity, allocatable } = object.status
  if (capacity === undefined || allocatable !== undefined) return object
  return { ...object, status: { ...object.status, allocatable: capacity } }
}

/** Each of them is compared for each Pod and DaemonSet. Kubernetes has no limit. */
const mostTaints = 100

function validateNode({ spec }: Node): readonly FieldError[] {
  const { podCIDRs = [], taints = [] } = spec
  if (taints.length > mostTaints) return [tooManyField('metadata.taints', taints.length, mostTaints)]
  const families = new Set(podCIDRs.map((each) => each.includes(':')))
  const isTaken = repeated(taints.map(({ key, effect }) => `${key}:${effect}`))
  const isCrowded = podCIDRs.length > 2 || families.size < podCIDRs.length
  return [
    ...taints.flatMap((taint, index) => [
      ...validateTaint(`metadata.taints[${index}]`, taint),
      ...(isTaken[index]
        ? [duplicateField(`metadata.taints[${index}]`, taint, 'taints must be unique by key and effect pair')]
        : []),
    ]),
    ...podCIDRs.flatMap((each, index) => checkCIDR(`spec.podCIDRs[${index}]`, each)),
    ...(isCrowded
      ? [invalidField('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]
      : []),
  ]
}

function validateTaint(field: string, { key, value = '', effect }: Taint): readonly FieldError[] {
  const problems = validateLabelValue(value)
  return [
    ...checkQualifiedName(`${field}.key`, key),
    ...(problems.length === 0 ? [] : [invalidField(`${field}.value`, value, problems.join(';'))]),
    ...checkOneOf(`${field}.effect`, effect, taintEffects),
  ]
}

function validateNodeUpdate(after: Node, before: Node): readonly FieldError[] {
  const { podCIDRs, providerID } = before.spec
  const onlyOnce = (member: string) => `node updates may not change ${member} except from "" to valid`
  return [
    ...(podCIDRs === undefined || deepEqual(podCIDRs, after.spec.podCIDRs)
      ? []
      : [forbiddenField('spec.podCIDRs', onlyOnce('podCIDR'))]),
    ...(providerID === undefined || providerID === after.spec.providerID
      ? []
      : [forbiddenField('spec.providerID', onlyOnce('providerID'))]),
  ]
}
