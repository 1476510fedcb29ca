import type { Container, EphemeralContainer, Pod, PodSpec, Volume } from '../../types/core-v1.ts'

/** Names of objects in its namespace that a Pod refers to. A name may be repeated. */
export interface PodReferences {
  readonly serviceAccount: string
  readonly secrets: readonly string[]
  readonly configMaps: readonly string[]
  readonly claims: readonly string[]
}

export function referencesOfPod({ metadata, spec }: Pod): PodReferences {
  const { volumes = [] } = spec
  return {
    serviceAccount: spec.serviceAccountName ?? '',
    secrets: named([
      ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
      ...containersOf(spec).flatMap(secretsOfContainer),
      ...volumes.flatMap(secretsOfVolume),
    ]),
    configMaps: named([...containersOf(spec).flatMap(configMapsOfContainer), ...volumes.flatMap(configMapsOfVolume)]),
    claims: named(volumes.map((volume) => claimOf(volume, metadata.name ?? ''))),
  }
}

type AnyContainer = Pick<Container & EphemeralContainer, 'env' | 'envFrom'>

function containersOf({ containers, initContainers = [], ephemeralContainers = [] }: PodSpec): readonly AnyContainer[] {
  return [...(containers ?? []), ...initContainers, ...ephemeralContainers]
}

function secretsOfContainer({ env = [], envFrom = [] }: AnyContainer): readonly (string | undefined)[] {
  return [...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name), ...envFrom.map((each) => each.secretRef?.name)]
}

function configMapsOfContainer({ env = [], envFrom = [] }: AnyContainer): readonly (string | undefined)[] {
  return [
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...envFrom.map((each) => each.configMapRef?.name),
  ]
}

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  const { secret, azureFile, csi, projected, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume
  const drivers = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos]
  return [
    secret?.secretName,
    azureFile?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...drivers.map((source) => source?.secretRef?.name),
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]
}

function configMapsOfVolume({ configMap, projected }: Volume): readonly (string | undefined)[] {
  return [configMap?.name, ...(projected?.sources ?? []).map((source) => source.configMap?.name)]
}

function claimOf({ name, persistentVolumeClaim, ephemeral }: Volume, pod: string): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : ephemeralClaimName(pod, name))
}

/** The claim of an ephemeral volume is named after the Pod and the volume. */
export function ephemeralClaimName(pod = '', volume = ''): string {
  return `${pod}-${volume}`
}

function named(names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]))
}
