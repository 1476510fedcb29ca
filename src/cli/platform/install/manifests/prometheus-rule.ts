import type { Manifest } from '../../../host/manifest.ts'
import type { PlatformSettings } from '../settings.ts'
import { alertGroups } from './alert-rules.ts'
import { platformMetadata } from './labels.ts'
import { monitorVersion } from './service-monitor.ts'

/** The alerts for the operator. */
export function prometheusRule({ namespace }: PlatformSettings): Manifest {
  return {
    apiVersion: monitorVersion,
    kind: 'PrometheusRule',
    metadata: platformMetadata(namespace),
    spec: { groups: alertGroups },
  }
}
