import { type CelType, intType, listType, mapType, stringType, structType, timestampType } from '../../cel/type.ts'

const texts = listType(stringType)
const textMap = mapType(stringType, stringType)

const metadataType = struct('NamespaceMetadata', {
  name: stringType,
  generateName: stringType,
  namespace: stringType,
  labels: textMap,
  annotations: textMap,
  // The spelling of Kubernetes, although no namespace has a member of that name.
  UID: stringType,
  creationTimestamp: timestampType,
  deletionGracePeriodSeconds: intType,
  deletionTimestamp: timestampType,
  generation: intType,
  resourceVersion: stringType,
  finalizers: texts,
})

const conditionType = struct('NamespaceCondition', {
  status: stringType,
  type: stringType,
  lastTransitionTime: timestampType,
  message: stringType,
  reason: stringType,
})

/** A namespace as Kubernetes shows it to policies: less than is stored. */
export const namespaceCelType: CelType = struct('Namespace', {
  metadata: metadataType,
  spec: struct('NamespaceSpec', { finalizers: texts }),
  status: struct('NamespaceStatus', { conditions: listType(conditionType), phase: stringType }),
})

function struct(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return structType(`kubernetes.${name}`, new Map(Object.entries(fields)))
}
