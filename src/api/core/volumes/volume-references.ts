import type { PersistentVolume } from '../../types/core-v1.ts'

export interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** Secrets that a node needs to mount a volume. Without a namespace, that of the claim applies. */
export function secretsOfPersistentVolume({ spec }: PersistentVolume): readonly NamespacedName[] {
  const { azureFile, csi, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, claimRef } = spec
  const drivers = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef)
  const ofFiles = azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace }
  const all = [ofFiles, ...drivers, csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef]
  return all.flatMap((reference) => {
    const { name = '', namespace } = reference ?? {}
    return name === '' ? [] : [{ name, namespace: namespace || (claimRef?.namespace ?? '') }]
  })
}
