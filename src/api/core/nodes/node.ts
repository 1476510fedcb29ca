import { deepEqual } from '../../../base/equal.ts'
import { duplicateField, type FieldError, forbiddenField, invalidField, tooManyField } from '../../field-error.ts'
import { validateLabelValue } from '../../names.ts'
import type { Node, Taint } from '../../types/core-v1.ts'
import { type NamedAmounts, validateAmount } from '../amounts/resource-validation.ts'
import { builtinKind } from '../builtin-kind.ts'
import { checkCIDR, checkOneOf, checkQualifiedName } from '../field-checks.ts'
import { newErrors } from '../new-errors.ts'
import { repeated } from '../repeated.ts'
import { nodeColumns } from './node-columns.ts'
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
  strategy: {
    defaults: (object) => withRanges(withAllocatable(object)),
    validate: validateNode,
    validateUpdate: validateNodeUpdate,
    validateStatusUpdate: validateAddresses,
    prepareForCreate: (object) => withoutConfiguration(object, undefined),
    prepareForUpdate: withoutConfiguration,
    prepareForStatusUpdate: withoutConfiguration,
    warnings: ({ spec }) => [
      ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
      ...((spec.externalID ?? '') === ''
        ? []
        : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ],
  },
})

/** Dynamic kubelet configuration is gone; what an earlier version stored stays. */
function withoutConfiguration(object: Node, old: Node | undefined): Node {
  const { configSource: _, ...spec } = object.spec
  const { config: __, ...status } = object.status
  return {
    ...object,
    spec: old?.spec.configSource === undefined ? spec : object.spec,
    status: old?.status.config === undefined ? status : object.status,
  }
}

/** The whole capacity of a node is allocatable by default. */
function withAllocatable(object: Node): Node {
  const { capacity, allocatable } = object.status
  if (capacity === undefined || allocatable !== undefined) return object
  return { ...object, status: { ...object.status, allocatable: capacity } }
}

/** The first range also has its own field, which takes precedence if the two differ. */
function withRanges(object: Node): Node {
  const { podCIDR = '', podCIDRs = [] } = object.spec
  const [first = podCIDR] = podCIDRs
  if (first === '') return object
  const ranges = podCIDR === '' || podCIDR === first ? [first, ...podCIDRs.slice(1)] : [podCIDR]
  return { ...object, spec: { ...object.spec, podCIDR: ranges[0] ?? '', podCIDRs: ranges } }
}

/** Each of them is compared for each Pod and DaemonSet. Kubernetes has no limit. */
const mostTaints = 100

function validateNode({ spec, status }: Node): readonly FieldError[] {
  const { podCIDRs = [], taints = [] } = spec
  if (taints.length > mostTaints) return validateTaints(spec)
  const families = new Set(podCIDRs.map((each) => each.includes(':')))
  const isRepeated = repeated(podCIDRs)
  const isCrowded = podCIDRs.length > 2 || families.size < podCIDRs.length
  return [
    ...validateTaints(spec),
    ...validateAmounts('status.capacity', status.capacity ?? {}),
    ...validateAmounts('status.allocatable', status.allocatable ?? {}),
    ...podCIDRs.flatMap((each, index) => checkCIDR(`spec.podCIDRs[${index}]`, each)),
    ...(isCrowded
      ? [invalidField('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]
      : []),
    ...podCIDRs.flatMap((each, index) => (isRepeated[index] ? [duplicateField(`spec.podCIDRs[${index}]`, each)] : [])),
  ]
}

function validateTaints({ taints = [] }: Node['spec']): readonly FieldError[] {
  if (taints.length > mostTaints) return [tooManyField('metadata.taints', taints.length, mostTaints)]
  const isTaken = repeated(taints.map(({ key, effect }) => `${key}:${effect}`))
  return taints.flatMap((taint, index) => [
    ...validateTaint(`metadata.taints[${index}]`, taint),
    ...(isTaken[index]
      ? [duplicateField(`metadata.taints[${index}]`, taint, 'taints must be unique by key and effect pair')]
      : []),
  ])
}

function validateAmounts(field: string, amounts: NamedAmounts): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => validateAmount(`${field}.${name}`, name, amount))
}

function validateAddresses({ status }: Node): readonly FieldError[] {
  const addresses = status.addresses ?? []
  const isTaken = repeated(addresses.map(({ type, address }) => `${type} ${address}`))
  return addresses.flatMap((each, index) =>
    isTaken[index] ? [duplicateField(`status.addresses[${index}]`, each)] : [],
  )
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
    ...(after.spec.externalID === before.spec.externalID
      ? []
      : [forbiddenField('spec.externalID', 'may not be updated')]),
    ...validateAddresses(after),
    ...newErrors(({ spec }: Node) => validateTaints(spec), after, before),
  ]
}
