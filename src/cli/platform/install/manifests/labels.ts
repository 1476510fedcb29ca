import { instanceLabel, namespaceLabel } from '../../../host/owner-labels.ts'
import { platformName } from '../names.ts'

/** These never change during the life of a platform: its Pods are found by them. */
export const platformPodLabels: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': platformName,
  [instanceLabel]: platformName,
}

export function platformLabels(namespace: string): Readonly<Record<string, string>> {
  return { ...platformPodLabels, 'app.kubernetes.io/managed-by': 'tenant-cli', [namespaceLabel]: namespace }
}

/** Metadata of an object in the namespace of the platform. */
export function platformMetadata(namespace: string, name = platformName) {
  return { name, namespace, labels: platformLabels(namespace) }
}
