import type { Container, EnvFromSource, EnvVar, Pod } from '../../../api/types/core-v1.ts'
import { hostFieldRef, literalOf } from './downward.ts'
import { type Rename, withHostName } from './renaming.ts'

/** How to translate the containers of a Pod. */
export interface HostEnvironment {
  readonly rename: Rename
  /** Variables that come first, so that any other variable of the same name overrides them. */
  readonly first: readonly EnvFromSource[]
}

/** A container that finds on the host the objects it names in the virtual cluster. */
export function hostContainer<Any extends Pick<Container, 'env' | 'envFrom'>>(
  container: Any,
  pod: Pod,
  { rename, first }: HostEnvironment,
): Any {
  const { env, envFrom = [] } = container
  const sources = [...first, ...envFrom.map((source) => hostSource(source, rename))]
  return {
    ...container,
    ...(env && { env: env.map((variable) => hostVariable(variable, pod, rename)) }),
    ...(sources.length > 0 && { envFrom: sources }),
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
