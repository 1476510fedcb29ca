import type { Manifest } from '../../../host/manifest.ts'
import type { PlatformSettings } from '../settings.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'

/**
 * One replica at a time may be moved. A single one has no budget, which would only prevent its node from being drained.
 */
export function disruptionBudget({ namespace, disruptionVersion }: PlatformSettings): Manifest {
  return {
    apiVersion: disruptionVersion,
    kind: 'PodDisruptionBudget',
    metadata: platformMetadata(namespace),
    spec: { maxUnavailable: 1, selector: { matchLabels: platformPodLabels } },
  }
}
