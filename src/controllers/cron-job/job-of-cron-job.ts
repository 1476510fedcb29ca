import type { KubeObject } from '../../api/object.ts'
import type { CronJob } from '../../api/types/batch-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { controllerReference } from '../ownership/owned.ts'
import { zoneOffset } from './zone-offset.ts'

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp'
const minuteMs = 60_000

/** The Job for one scheduled time. Its name prevents a second one. */
export function jobOfCronJob(cronJob: CronJob, scheduledMs: number): KubeObject {
  const { metadata, spec } = cronJob
  const { labels, annotations } = spec.jobTemplate.metadata
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(metadata.name ?? '', scheduledMs),
      namespace: metadata.namespace ?? '',
      ...(labels && { labels }),
      annotations: { ...annotations, [scheduledAnnotation]: zonedTimestamp(scheduledMs, spec.timeZone) },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: spec.jobTemplate.spec,
  }
}

export function jobName(cronJobName: string, scheduledMs: number): string {
  return `${cronJobName}-${Math.floor(scheduledMs / minuteMs)}`
}

/** When the Job of this name was due; undefined if the name does not have that form. */
export function scheduledMsIn(cronJobName: string, name: string): number | undefined {
  const minutes = name.startsWith(`${cronJobName}-`) ? name.slice(cronJobName.length + 1) : ''
  return /^[1-9][0-9]{0,9}$/.test(minutes) ? Number(minutes) * minuteMs : undefined
}

/** RFC 3339 with the offset of the zone. */
function zonedTimestamp(atMs: number, zone: string | undefined): string {
  const offsetMs = zoneOffset(zone)?.(atMs) ?? 0
  if (offsetMs === 0) return timestamp(atMs)
  const minutes = Math.abs(offsetMs) / minuteMs
  const digits = [Math.floor(minutes / 60), minutes % 60].map((value) => String(value).padStart(2, '0')).join(':')
  return timestamp(atMs + offsetMs).replace('Z', `${offsetMs < 0 ? '-' : '+'}${digits}`)
}
