import type { Container, EnvFromSource, EnvVar, Pod } from '../../../api/types/core-v1.ts'
import { hostFieldRef, literalOf } from './downward.ts'
import { type Rename, withHostName } from './renaming.ts'

/** A container that finds on the host what it names in the virtual cluster. */
export function hostContainer(container: Container, pod: Pod, rename: Rename): Container {
  const { env, envFrom, ...rest } = container
  return {
    ...rest,
    ...(env && { env: env.map((variable) => hostVariable(variable, pod, rename)) }),
    ...(envFrom && { envFrom: envFrom.map((source) => hostSource(source, rename)) }),
  }
}

function hostVariable(variable: EnvVar, pod: Pod, rename: Rename): EnvVar {
  const { valueFrom, ...rest } = variable
  if (!valueFrom) return variable
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom
  const value = fieldRef && literalOf(fieldRef.fieldPath, pod)
  if (value !== undefined) return { ...rest, value }
  return {
    ...rest,
    valueFrom: {
      ...valueFrom,
      ...(fieldRef && { fieldRef: hostFieldRef(fieldRef) }),
      ...(configMapKeyRef && { configMapKeyRef: withHostName(configMapKeyRef, 'ConfigMap', rename) }),
      ...(secretKeyRef && { secretKeyRef: withHostName(secretKeyRef, 'Secret', rename) }),
    },
  }
}

function hostSource(source: EnvFromSource, rename: Rename): EnvFromSource {
  const { configMapRef, secretRef } = source
  return {
    ...source,
    ...(configMapRef && { configMapRef: withHostName(configMapRef, 'ConfigMap', rename) }),
    ...(secretRef && { secretRef: withHostName(secretRef, 'Secret', rename) }),
  }
}
