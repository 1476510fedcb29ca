import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const className = 'folders'
const count = 12

/** Provides volumes on a node without a storage driver: folders of this machine, for claims without a class. */
export function volumeObjects(folder: string): object {
  const volumes = Array.from({ length: count }, (_, index) => {
    const path = join(folder, String(index))
    mkdirSync(path, { recursive: true })
    return localVolume(`folder-${index}`, path)
  })
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: className, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  }
  return { apiVersion: 'v1', kind: 'List', items: [storageClass, ...volumes] }
}

/** One volume with a separate class. */
export function volumeAt(storageClassName: string, path: string): object {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: storageClassName },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  }
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [storageClass, localVolume(storageClassName, path, storageClassName)],
  }
}

/** A type of volume whose group the kubelet sets, so that Pods that do not run as root can write to it. */
function localVolume(name: string, path: string, storageClassName = className): object {
  const anyNode = [{ key: 'kubernetes.io/os', operator: 'Exists' }]
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: anyNode }] } },
    },
  }
}
